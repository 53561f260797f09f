// Package footy holds the words of Found Footy, one meaning each. It imports the standard library only; JSON names are the
// stored field names.
//
//   - Fixture: one match. Snapshot: what the feed says of it now. Stage: staging, active or completed.
//   - Event: something on the pitch that is followed, a goal mostly. Its UID never changes; its ID is its public name and
//     follows the scorer. Sighting, absence: one poll that has it, or has it not. Certain: enough polls agree.
//   - Standing: not removed. A goal that VAR cancels is removed, and restored if it comes back.
//   - Feed: where fixtures come from. Source: where posts come from.
//   - Round: one series of searches for an event. A corrected scorer, a restored goal or an operator begins a new one.
//   - Search: one look for posts. It is usable if it could look, also when it found nothing.
//   - Candidate: a post with a video, unchecked. Post: its record in the ledger of an event, with one state.
//   - Generation: how often a workflow of the same purpose was begun again.
//   - Media: a fetched file with what ffprobe says of it, in staging until it is judged. Digest: exact hash of its content.
//     Fingerprint: hashes of its pictures, which a copy with other bytes still matches.
//   - Reading: what was read in one frame. Verdict: what follows from the readings: is it football, which minute?
//   - Sibling: another goal of the same match.
//   - Clip: an accepted, stored video of an event, with popularity (posts that carry its footage) and rank. Pool: clips
//     whose minute is proven, or the others; clips of different pools are never compared.
//   - Entry: a row of the event log: one decision, its reason and its evidence.
//   - Tombstone: content that was taken down and must not come back.
package footy
