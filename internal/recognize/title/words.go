package title

import "regexp"

func words(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + alternatives + `)\b`)
}

var (
	// thread is what a whole post is about that is no single goal.
	thread = words(`threads?|discussion|line[- ]?ups?|starting (?:xi|11|eleven|line)|team news|highlights?|recap|preview|predictions?|` +
		`player ratings|half[- ]?time|full[- ]?time|ht|ft|final score|final whistle|result|all (?:the )?goals|(?:every|each) goal|compilation|` +
		`goals of the (?:month|week|season|year)|shoot[- ]?outs?|pens|penalties|on this day|otd|years? ago|throwback|post[- ]?match|pre[- ]?match|` +
		`post[- ]?game|man of the match|motm|match stats|match report|player of the match|league table|standings|tv schedule|futsal|beach soccer|legends|e-?sports|(?:ea )?fc ?2\d|e-?football`)
	// moments name a break without being about it.
	moments = words(`(?:(?:just|right|shortly|straight) )?(?:before|after|since|until|(?:on )?the stroke of|on stroke of) (?:the )?(?:half[- ]?time|full[- ]?time|ht|ft|break)`)

	// cancelled goals do not count, wherever it is said.
	cancelled = words(`disallow\w*|rule[sd]? out|ruled off|overturn\w*|overrul\w*|chalked off|cancel+\w*|annul\w*|reverse[sd]|wiped out|struck off|scrubbed off|` +
		`taken away|no goal|not given|not a goal|not awarded|goal (?:is |was )?denied|called back|offside goal|goal offside|` +
		`(?:ruled|called|flagged|given|judged|deemed)(?: as| for)? offside|for (?:an )?off[- ]?side|due to off[- ]?side|because of off[- ]?side`)
	// barely is said of goals that did count in the end.
	barely        = words(`(?:initially|originally|first|previously) (?:disallowed|ruled out|ruled offside|flagged(?: for)? offside|given offside|called offside|not given|cancelled|chalked off)|(?:not|was it|wasn'?t|possible|possibly|potential|potentially|alleged|looked|maybe) off[- ]?side|disallowed goal (?:given|awarded|reinstated)`)
	offside       = words(`off[- ]?side`)
	video         = words(`var`)
	videoConfirms = words(`(?:after|following|confirmed by|given by|awarded by|allowed by|given after|via|thanks to|upheld by|despite|pending) (?:a |the |an )?(?:long |lengthy |quick )?var(?: check| review| decision| intervention)?|` +
		`var (?:confirm\w*|gives?|given|awards?|awarded|allows?|allowed|goal|stands|check complete|upheld|upholds)`)

	// missed penalties and saves are no goals, unless the rebound was one.
	missed  = words(`miss(?:e[sd])?|missing|saves?|saved|fail(?:s|ed)?|denie[sd]|blocks?|blocked`)
	rebound = words(`rebound\w*|follow[- ]?up|second attempt|second time of asking|retake[ns]?|retook`)
	// incidents are what else is shown of a match.
	incidents = words(`(?:red|yellow) cards?|(?:second|2nd) (?:yellow|booking)|straight red|red|yellow|booking|booked|sent off|sending off|sendoff|ejected|dismissed|` +
		`(?:hits?|off|against|strikes?|rattles?) (?:the )?(?:inside of the )?(?:post|bar|crossbar|woodwork|upright)|crossbar|woodwork|clear(?:ance|ed|s)|goal[- ]line|(?:big |huge |golden )?chances?|` +
		`shot (?:wide|over|off|on|hits)|wide|fouls?|fouled|tackles?|dives?|dived|hand[- ]?ball|injur(?:y|ed|ies)|injured|brawl|fight|scuffle|altercation|confrontation|celebrat\w+|` +
		`fans|tifo|interview|reaction|reacts|press conference|nutmegs?|skills?|juggl\w+|dribbles?|substitut\w+|subbed|stretchered|` +
		`penalty (?:shout|appeals?|claims?|call|incident|awarded|given|decision|check|won|foul|denied|not|for|to)|(?:wins?|won|earns?|concedes?|gives? away) (?:a |the )?penalty|(?:no|possible|potential) penalty|` +
		`elbows?|headbutts?|stamps?|slaps?|spit\w*|spat|pitch invader|streaker|close call|sitter|open goal|simulation|offside|kick[- ]?off|disciplinary|abandoned|postponed|suspended`)
	gravest = words(`miss(?:e[sd])?|saves?|saved|red cards?|yellow cards?|(?:second|2nd) yellow|sent off|straight red|hits (?:the )?\w+|crossbar|woodwork|chance|(?:penalty|pen) (?:shout|appeal|claim|not given)`)
	scores  = words(`scores|(?:great|nice|wonder|amazing|late|brilliant|solo|lovely|beautiful) ?goal|and goal|goal (?:after|from|following|vs|against|on)`)

	ownGoal    = regexp.MustCompile(`(?i)(?:\bo\.?g\b\.?|\bo/g\b|\bo\. goal\b|\bown[- ]?goals?\b|\bautogol\b|\bautogoal\b|\beigentor\b)`)
	penalty    = regexp.MustCompile(`(?i)(?:(?:\bretaken )?\b(?:pen\b\.?|penalty\b)|\bp\.?k\b\.?|\bspot[- ]?kick\b|\bpenalti\b|\bpenal\b|\belfmeter\b|[\[(]\s*p\.?\s*[\])])`)
	penaltyP   = regexp.MustCompile(`(?i)[a-z]\s+p\s*$`)
	notPenalty = words(`(?:after|following|from) (?:a |the |his )?(?:\w+ )?(?:penalty|pen) (?:save|miss|rebound|saved)|(?:penalty|pen) (?:save|miss|rebound|saved|area|box)|saved (?:penalty|pen)|missed (?:penalty|pen)`)

	// praise is what is said of a goal and is no part of a name. Adjectives are names, too (Best, Long, Young), so they need their noun.
	praise = regexp.MustCompile(`(?i)\b(?:(?:what|such)(?: a| an)?[ -]+)?(?:(?:an? |the )?(?:great|nice|good|amazing|incredible|stunning|beautiful|brilliant|fantastic|superb|super|wonderful|wonder|crazy|insane|unbelievable|` +
		`lovely|sensational|outrageous|spectacular|excellent|magnificent|terrific|solo|individual|late|last[- ]minute|stoppage[- ]time|injury[- ]time|first|second|third|fourth|1st|2nd|3rd|4th|5th|debut|` +
		`counter[- ]attack\w*|counter|team|direct|indirect|long[- ]range|long|distance|diving|flying|bullet|looping|half|overhead|bicycle|scissors?|scorpion|curling|curled|chipped|lobbed|rocket|` +
		`deflected|winning|equali[sz]ing|opening|ridiculous|absurd|powerful|thunderous|cheeky|audacious|delightful|olympic|historic|\d{1,4}(?:st|nd|rd|th)|his|her)[ -]+)*` +
		`(?:goals?|goo+a*l+\w*|wonder[- ]?goal|wonder[- ]?strike|golazo|banger|screamer|thunderbolt|strike|finish|free[- ]?kicks?|fk|header|headed goal|volley|` +
		`half[- ]volley|bicycle kick|bicycle|overhead kick|overhead|scissor[- ]kick|scorpion kick|back[- ]?heel|rabona|panenka|olimpico|trivela|outside of the boot|long[- ]?shot|long[- ]?range(?: shot)?|solo run|solo effort|run|effort|chip|lob|` +
		`tap[- ]?in|hat[- ]?trick\w*|brace|poker|equali[sz]er|winner|opener|debut goal|rocket|stunner|beauty|worldie|cracker|missile|curler|knuckleball|long[- ]range|shot)\b!*`)
	// prose goes on after a name.
	prose  = regexp.MustCompile(`\s(?:scor(?:es?|ed|ing)|with|after|following|from|puts?|makes?|gives?|nets?|finds?|doubles?|seals?|levels?|equali[sz]e[sd]?|breaks?|opens?|wins?|against|vs|to make|to|for|his|her|on|in|at|into|assist(?:ed|s)?|who|as|is|has|was|slots?|fires?|heads?|curls?|converts?|taps?|smashes|volleys|chips|strikes?|beats?)(?:\s|$)`)
	byWhom = regexp.MustCompile(`(?i)^(?:by|from|of|for|de|di|do)\b`)

	// contest is what a match belongs to, and no scorer.
	contest = words(`league|cup|copa|coupe|coppa|pokal|liga|serie|bundesliga|ligue|championship|champions|final|finals|semi[- ]?finals?|quarter[- ]?finals?|friendly|friendlies|qualif\w+|round|group|stage|matchday|gameweek|` +
		`match ?week|playoffs?|play[- ]offs?|first leg|second leg|1st leg|2nd leg|leg|eredivisie|superliga|ekstraklasa|mls|ucl|uel|epl|efl|euro|euros|olympics|trophy|shield|super cup|tournament|division|angle|replay|commentary|pov|mirror|link|video|clip|stream|source|` +
		`premier|la liga|world|season|extra time|aet|stats?|ratings|analysis|review|report`)

	years  = regexp.MustCompile(`\b(19[3-9]\d|20\d\d)\b`)
	since  = words(`since|from|until|first|in|of|after|before|born|contract`)
	noMark = regexp.MustCompile(`\b(?:[bfw]|ii|iii|jong|sub|under|academy)\b`)

	versus     = regexp.MustCompile(`(?i)\s(?:vs?\.?|versus)\s`)
	goalVersus = regexp.MustCompile(`(?i)^(.*\w.*?)\s(?:goal|scores|strike|header|volley)\s(?:vs?\.?|versus|against|on)\s(.+)$`)
	initial    = regexp.MustCompile(`\s([A-Z]\.\s?[A-Z])`)
	clubWord   = regexp.MustCompile(`^(?:club|clube|calcio|football|futbol|futebol|fussball|fotball|fodbold|sportclub)$`)
	possessive = regexp.MustCompile(`'s?\s*$`)
	joined     = regexp.MustCompile(`\s[+&]\s|\s\*+|\s"[^"]*$`)
	particle   = regexp.MustCompile(`^(?:van|von|der|den|de|del|della|di|da|do|dos|das|du|la|le|el|al|bin|ibn|ben|ter|ten|e|y|zu|af|av|abu|ould|d'\w+)$`)
	lower      = regexp.MustCompile(`^[a-z]*$`)
	retaken    = words(`retake[ns]?|retook`)
	shout      = regexp.MustCompile(`(?i)^\s*(?:(?:what an? |great |nice |wonder ?|amazing )?go+a*l+(?:azo)?s?!*|scenes|alternat\w+ angle|another angle|different angle|replay)\s*[!:|-]*\s`)
)
