-- A database as written by the programs of schema 1, with application_id and user_version left out (the test sets them).
-- 1002 was half moved (its staging copy was not deleted), 1004 got no further than the mark of its move.
CREATE TABLE document_keys (
  collection TEXT NOT NULL,
  key        TEXT NOT NULL,
  id         TEXT NOT NULL,
  PRIMARY KEY (collection, key, id)
) WITHOUT ROWID;
CREATE TABLE event_log (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE fingerprints (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE fixtures_active (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE fixtures_completed (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE fixtures_live (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE fixtures_staging (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE service_state (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE team_aliases (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE TABLE tombstones (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE INDEX document_keys_id ON document_keys (collection, id);
CREATE INDEX event_log_at  ON event_log (at);
CREATE INDEX event_log_grp ON event_log (grp, at) WHERE grp <> '';
CREATE INDEX event_log_sub ON event_log (sub, at) WHERE sub <> '';
CREATE INDEX fingerprints_at  ON fingerprints (at);
CREATE INDEX fingerprints_grp ON fingerprints (grp, at) WHERE grp <> '';
CREATE INDEX fingerprints_sub ON fingerprints (sub, at) WHERE sub <> '';
CREATE INDEX fixtures_active_at  ON fixtures_active (at);
CREATE INDEX fixtures_active_grp ON fixtures_active (grp, at) WHERE grp <> '';
CREATE INDEX fixtures_active_sub ON fixtures_active (sub, at) WHERE sub <> '';
CREATE INDEX fixtures_completed_at  ON fixtures_completed (at);
CREATE INDEX fixtures_completed_grp ON fixtures_completed (grp, at) WHERE grp <> '';
CREATE INDEX fixtures_completed_sub ON fixtures_completed (sub, at) WHERE sub <> '';
CREATE INDEX fixtures_live_at  ON fixtures_live (at);
CREATE INDEX fixtures_live_grp ON fixtures_live (grp, at) WHERE grp <> '';
CREATE INDEX fixtures_live_sub ON fixtures_live (sub, at) WHERE sub <> '';
CREATE INDEX fixtures_staging_at  ON fixtures_staging (at);
CREATE INDEX fixtures_staging_grp ON fixtures_staging (grp, at) WHERE grp <> '';
CREATE INDEX fixtures_staging_sub ON fixtures_staging (sub, at) WHERE sub <> '';
CREATE INDEX service_state_at  ON service_state (at);
CREATE INDEX service_state_grp ON service_state (grp, at) WHERE grp <> '';
CREATE INDEX service_state_sub ON service_state (sub, at) WHERE sub <> '';
CREATE INDEX team_aliases_at  ON team_aliases (at);
CREATE INDEX team_aliases_grp ON team_aliases (grp, at) WHERE grp <> '';
CREATE INDEX team_aliases_sub ON team_aliases (sub, at) WHERE sub <> '';
CREATE INDEX tombstones_at  ON tombstones (at);
CREATE INDEX tombstones_grp ON tombstones (grp, at) WHERE grp <> '';
CREATE INDEX tombstones_sub ON tombstones (sub, at) WHERE sub <> '';
INSERT INTO document_keys VALUES ('fixtures_active', '1002_33_0_Goal_1', '1002');
INSERT INTO document_keys VALUES ('fixtures_active', '1002_33_9_Goal_1', '1002');
INSERT INTO document_keys VALUES ('fixtures_active', '1002_40_11_Goal_1', '1002');
INSERT INTO document_keys VALUES ('fixtures_active', 'u-gone', '1002');
INSERT INTO document_keys VALUES ('fixtures_active', 'u-open', '1002');
INSERT INTO document_keys VALUES ('fixtures_completed', '1003_33_7_Goal_1', '1003');
INSERT INTO document_keys VALUES ('fixtures_completed', 'u-done', '1003');
INSERT INTO event_log VALUES ('1002/activated', 0, 1786806000000, '1002', '', '', '{"_id":"1002/activated","fixture_id":1002,"at":"2026-08-15T15:00:00Z","kind":"activated","text":"row 1002/activated","data":{"n":1}}');
INSERT INTO event_log VALUES ('u-done/new', 0, 1786806000000, '1003', 'u-done', '', '{"_id":"u-done/new","fixture_id":1003,"event_uid":"u-done","at":"2026-08-15T15:00:00Z","kind":"new","text":"row u-done/new","data":{"n":1}}');
INSERT INTO event_log VALUES ('u-open/new', 0, 1786807920000, '1002', 'u-open', '', '{"_id":"u-open/new","fixture_id":1002,"event_uid":"u-open","at":"2026-08-15T15:32:00Z","kind":"new","text":"row u-open/new","data":{"n":1}}');
INSERT INTO fingerprints VALUES ('u-open/d1d1d1d1d1d1d1d1', 0, -62135596800000, '1002', 'u-open', '', '{"clip_id":"d1d1d1d1d1d1d1d1","event_uid":"u-open","fixture_id":1002,"digest":"d1d1d1d1d1d1d1d1d1d1","fingerprint":{"version":"ff2","interval":0.25,"duration":1,"frames":"AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADgAAAAAAAAAAAAAAAAAAFCQ=="}}');
INSERT INTO fixtures_active VALUES ('1002', 4, 1786806000000, '', '', 'fc hojlund kobenhavn league liverpool premier rasmus', '{"_id":1002,"_revision":4,"_stage":"active","fixture":{"id":1002,"date":"2026-08-15T15:00:00Z","status":{"short":"1H","elapsed":null,"extra":null}},"league":{"id":39,"name":"Premier League"},"teams":{"home":{"id":33,"name":"FC København"},"away":{"id":40,"name":"Liverpool"}},"goals":{"home":1,"away":1},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":[{"_uid":"u-open","_event_id":"1002_33_9_Goal_1","_matched_from":["1002_33_0_Goal_1"],"_kind":"Goal","type":"Goal","detail":"Normal Goal","time":{"elapsed":31},"team":{"id":33,"name":"FC København"},"player":{"id":9,"name":"Rasmus Højlund"},"assist":{"id":0,"name":""},"_score_before":{"home":null,"away":null},"_score_after":{"home":null,"away":null},"_first_seen":"2026-08-15T15:32:00Z","_certain_at":"2026-08-15T15:33:00Z","_round":1,"_round_opened_at":"2026-08-15T15:33:00Z","_twitter_workflow":"twitter-1002_33_9_Goal_1","_upload_workflow":"upload-1002_33_9_Goal_1","_monitor_complete":true,"_download_seq":3,"_download_workflows":["download-1002_33_9_Goal_1-1","download-1002_33_9_Goal_1-2"],"_settled_workflows":["download-1002_33_9_Goal_1-1"],"_attempts":[{"download":"download-1002_33_9_Goal_1-2","round":1,"try":2,"at":"2026-08-15T15:35:00Z","candidates":[{"id":"101","url":"https://x.com/fan/status/101","author":"fan","text":"GOAL 101","posted_at":"2026-08-15T15:31:00Z","duration_ms":12000},{"id":"102","url":"https://x.com/fan/status/102","author":"fan","text":"GOAL 102","posted_at":"2026-08-15T15:31:00Z","duration_ms":12000}]},{"download":"download-1002_33_9_Goal_1-1","round":1,"at":"0001-01-01T00:00:00Z","media":[{"candidate":{"id":"103","url":"https://x.com/fan/status/103","author":"fan","text":"GOAL 103","posted_at":"2026-08-15T15:31:00Z","duration_ms":12000},"digest":"d2d2d2d2d2d2d2d2d2d2","size":1048576,"stage_key":"staging/d2d2d2d2d2d2d2d2d2d2/video","probe":{"width":1280,"height":720,"duration":12,"bitrate":800000},"fingerprint_key":"staging/d2d2d2d2d2d2d2d2d2d2/fingerprint","frame_keys":["staging/d2d2d2d2d2d2d2d2d2d2/f1"],"frame_times":[1]}],"owed":true},{"download":"download-1002_33_9_Goal_1-3","round":1,"at":"2026-08-15T15:36:00Z","media":[{"candidate":{"id":"104","url":"https://x.com/fan/status/104","author":"fan","text":"GOAL 104","posted_at":"2026-08-15T15:31:00Z","duration_ms":12000},"digest":"d3d3d3d3d3d3d3d3d3d3","size":1048576,"stage_key":"staging/d3d3d3d3d3d3d3d3d3d3/video","probe":{"width":1280,"height":720,"duration":12,"bitrate":800000},"fingerprint_key":"staging/d3d3d3d3d3d3d3d3d3d3/fingerprint","frame_keys":["staging/d3d3d3d3d3d3d3d3d3d3/f1"],"frame_times":[1]}]}],"_download_complete":false,"_discovered_videos":["100","101","102","103","104"],"_s3_videos":[{"id":"d1d1d1d1d1d1d1d1","digest":"d1d1d1d1d1d1d1d1d1d1","_s3_key":"clips/d1d1d1d1d1d1d1d1d1d1","s3_url":"/v/d1d1d1d1d1d1d1d1d1d1","perceptual_hash":"","hash_version":"","width":1280,"height":720,"file_size":1048576,"duration":10,"bitrate":0,"aspect_ratio":0,"resolution_score":0,"popularity":2,"rank":1,"source_url":"","posts":["100"],"timestamp_verified":true,"extracted_minute":31,"timestamp_status":"verified","added_at":"2026-08-15T15:36:00Z","x_later":1.5}],"_redirects":{"deadbeefdeadbeef":"d1d1d1d1d1d1d1d1"},"_removed":false,"x_later":[1,2]},{"_uid":"u-gone","_event_id":"1002_40_11_Goal_1","_kind":"Goal","type":"Goal","detail":"","time":{"elapsed":0},"team":{"id":40,"name":"Liverpool"},"player":{"id":11,"name":"Mohamed Salah"},"assist":{"id":0,"name":""},"_score_before":{"home":null,"away":null},"_score_after":{"home":null,"away":null},"_first_seen":"2026-08-15T15:20:00Z","_certain_at":"2026-08-15T15:22:00Z","_monitor_complete":false,"_attempts":[{"download":"download-1002_40_11_Goal_1-1","round":1,"try":1,"at":"2026-08-15T15:23:00Z","candidates":[{"id":"201","url":"https://x.com/fan/status/201","author":"fan","text":"GOAL 201","posted_at":"2026-08-15T15:31:00Z","duration_ms":12000}]}],"_download_complete":false,"_removed":true,"_removed_at":"2026-08-15T15:25:00Z","_removed_reason":"var"}],"activated_at":"2026-08-15T14:30:00Z","x_later":"fixture"}');
INSERT INTO fixtures_active VALUES ('1004', 2, 1786806000000, '', '', 'burnley league leeds premier', '{"_id":1004,"_revision":2,"_stage":"active","fixture":{"id":1004,"date":"2026-08-15T15:00:00Z","status":{"short":"FT","elapsed":null,"extra":null}},"league":{"id":39,"name":"Premier League"},"teams":{"home":{"id":33,"name":"Leeds"},"away":{"id":40,"name":"Burnley"}},"goals":{"home":null,"away":null},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":[],"_moving_to":"completed","x_later":{"kept":true}}');
INSERT INTO fixtures_completed VALUES ('1003', 1, 1786806000000, '', '', 'everton fulham league premier scorer', '{"_id":1003,"_revision":1,"_stage":"completed","fixture":{"id":1003,"date":"2026-08-15T15:00:00Z","status":{"short":"FT","elapsed":null,"extra":null}},"league":{"id":39,"name":"Premier League"},"teams":{"home":{"id":33,"name":"Everton"},"away":{"id":40,"name":"Fulham"}},"goals":{"home":null,"away":null},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":[{"_uid":"u-done","_event_id":"1003_33_7_Goal_1","_kind":"Goal","type":"","detail":"","time":{"elapsed":0},"team":{"id":0,"name":""},"player":{"id":7,"name":"Scorer"},"assist":{"id":0,"name":""},"_score_before":{"home":null,"away":null},"_score_after":{"home":null,"away":null},"_first_seen":"2026-08-15T15:00:00Z","_certain_at":"2026-08-15T15:00:00Z","_monitor_complete":false,"_download_complete":true,"_outcome":"ok","_s3_videos":[{"id":"d1d1d1d1d1d1d1d1","digest":"d1d1d1d1d1d1d1d1d1d1","_s3_key":"clips/d1d1d1d1d1d1d1d1d1d1","s3_url":"","perceptual_hash":"","hash_version":"","width":0,"height":0,"file_size":0,"duration":0,"bitrate":0,"aspect_ratio":0,"resolution_score":0,"popularity":0,"rank":1,"source_url":"","posts":["300"],"timestamp_verified":false,"extracted_minute":null,"timestamp_status":"","added_at":"2026-08-15T15:00:00Z"}],"_removed":false}],"completed_at":"2026-08-15T17:00:00Z"}');
INSERT INTO fixtures_live VALUES ('1002', 0, 1786806000000, '', '', '', '{"poll_id":"poll-1","snapshot":{"fixture":{"id":1002,"date":"2026-08-15T15:00:00Z","status":{"short":"1H","elapsed":null,"extra":null}},"league":{"id":0,"name":""},"teams":{"home":{"id":33,"name":"FC København"},"away":{"id":40,"name":"Liverpool"}},"goals":{"home":null,"away":null},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":null,"has_events":true,"answered":"2026-08-15T15:00:00Z"}}');
INSERT INTO fixtures_staging VALUES ('1001', 1, 1786806000000, '', '', 'arsenal chelsea league premier', '{"_id":1001,"_revision":1,"_stage":"staging","fixture":{"id":1001,"date":"2026-08-15T15:00:00Z","status":{"short":"NS","elapsed":null,"extra":null}},"league":{"id":39,"name":"Premier League"},"teams":{"home":{"id":33,"name":"Arsenal"},"away":{"id":40,"name":"Chelsea"}},"goals":{"home":null,"away":null},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":[]}');
INSERT INTO fixtures_staging VALUES ('1002', 2, 1786806000000, '', '', 'fc hojlund kobenhavn league liverpool premier rasmus', '{"_id":1002,"_revision":2,"_stage":"staging","fixture":{"id":1002,"date":"2026-08-15T15:00:00Z","status":{"short":"1H","elapsed":null,"extra":null}},"league":{"id":39,"name":"Premier League"},"teams":{"home":{"id":33,"name":"FC København"},"away":{"id":40,"name":"Liverpool"}},"goals":{"home":1,"away":1},"score":{"halftime":{"home":null,"away":null},"fulltime":{"home":null,"away":null},"extratime":{"home":null,"away":null},"penalty":{"home":null,"away":null}},"events":[],"activated_at":"2026-08-15T14:30:00Z","_moving_to":"active"}');
INSERT INTO service_state VALUES ('quota', 0, -62135596800000, '', '', '', '{"value":{"used":41}}');
INSERT INTO service_state VALUES ('stage_returns', 0, -62135596800000, '', '', '', '{"value":"MARK"}');
INSERT INTO team_aliases VALUES ('40', 0, 1786806000000, '', '', '', '{"_id":40,"team":"Liverpool","aliases":["lfc"],"provenance":"","updated_at":"2026-08-15T15:00:00Z"}');
INSERT INTO tombstones VALUES ('ffffffff', 0, 1786809600000, '1002', 'u-open', '', '{"_id":"ffffffff","event_uid":"u-open","fixture_id":1002,"reason":"asked for","at":"2026-08-15T16:00:00Z","fingerprint":{"version":"ff2","interval":0.25,"duration":1,"frames":"AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADgAAAAAAAAAAAAAAAAAAFCQ=="}}');
