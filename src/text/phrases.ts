/**
 * Phrases that people say to a bot without wanting the docs changed. Each pattern is matched
 * against a whole clause of at most 120 lower-case characters, without punctuation, emoji or
 * "please".
 */

/** To whom it is said. */
const ALL =
  "(?: (?:there|bot|docs agent|agent|again|everyone|all|team|guys|folks|mate|so much|sorry))*"

const GOOD =
  "ok|okay|k|kk|cool|nice|great|awesome|perfect|excellent|amazing|brilliant|wonderful|fantastic|lovely|sweet|good|neat|super|fine|helpful|impressive|beautiful|correct|quick|fast"
const THIS = "this|that|it|everything"
/** What somebody waits for. */
const THING =
  "(?:this|that|it|(?:my|our|the) (?:prs?|pull requests?|jobs?|requests?|change|result|link))"

/** Said in front of anything, and changing nothing about it. */
export const LEAD =
  /^(?:(?:ok|okay|so|well|oh|um|uh|hmm|hey|hi|yo|hello|wow|lol|oops|haha|sorry|btw|just|yes|yeah|no|nvm) )+/

/** Thanks; "much" in each of them is part of the word. */
const IN_OTHER_LANGUAGES = [
  "merci(?: beaucoup| bien)?|danke(?: schön| sehr| dir| euch)?|vielen dank|(?:muchas |mil )?gracias",
  "(?:mille )?grazie(?: mille)?|(?:muito )?obrigad[oa]|tack(?: så mycket)?|tak|takk|kiitos",
  "dank (?:je|u)(?: wel)?|dankjewel|bedankt|dzięki|dziękuję|děkuji|díky|teşekkürler|mulțumesc",
  "(?:domo )?arigatou?(?: gozaimasu)?|спасибо|дякую|ありがとう(?:ございます|ございました)?|谢谢|謝謝|感谢|감사합니다|고마워요?",
].join("|")

export const THANKS = new RegExp(
  `^(?:(?:${GOOD}|many|big|huge|alright|well|wow|oh|ah|and) ){0,3}` +
    `(?:thanks|thanx|thnaks|tanks|thank (?:you|u|ya)|thankyou|thx|thnx|tnx|ty|tysm|cheers|kudos|${IN_OTHER_LANGUAGES}|much appreciated|appreciated|(?:i |we )?(?:really )?appreciate (?:it|this|that|the help|your help))` +
    "(?: (?:so |very |a )?(?:much|lot|bunch|million|ton))?(?: in advance)?" +
    `(?: for (?:(?:all|the|your|this|that|such|a|great|quick|fast|good|nice|hard) ){0,3}(?:${THIS}|help|work|job|support|fix|update|pr|pull request|changes?|time|effort|answer|reply|response|turnaround|info|page|docs|review|helping|fixing (?:it|this|that)|doing (?:it|this|that)))?${ALL}$`,
)

const GREETINGS = [
  "hi+|hello+|helo|hey+|hiya|howdy|yo|sup|greetings|hola|bonjour|salut|hallo|moin|hej|ol[áa]",
  "ciao|こんにちは|你好|안녕하세요|привет|gm|g'day|goo?d (?:mornin(?:g)?|afternoon|evening|day|night)",
  "morning|bye|goodbye|see you|see ya|have a (?:nice|good|great) (?:day|weekend|evening)",
  "happy (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|birthday|holidays|new year)",
  "how are you(?: doing)?(?: today)?|how's it going|what's up|nice to meet you",
  "(?:are )?you there|(?:is )?any(?:one|body) (?:there|here|home)|hello world",
  "(?:just )?test(?:ing)?(?: (?:test|[123]|123))*|this is a test|ping|bot|docs agent",
]

export const GREETING = new RegExp(`^(?:${GREETINGS.join("|")})${ALL}$`)

/** "That looks good to me." */
const PRAISE =
  `(?:(?:${THIS}|all)(?:'?s| is| was)? )?(?:(?:looks?|looking|sounds?|works?) )?` +
  "(?:(?:so|very|really|pretty|just|all) )?" +
  `(?:${GOOD})(?: to me| (?:job|work|one|stuff|bot|now))?`

/** What people say of a result, of themselves or of the bot, one kind of it a line. */
const COMMENTS = [
  PRAISE,
  "lgtm|sgtm|[+-]1|yes|yep|yeah|no|nope|nah|sure|alright|understood|noted|got it|i see",
  "makes sense|agreed|never ?mind|nvm|no (?:problem|worries|thanks|thank you)|np",
  "you're welcome|my bad|sorry|oops|lol|ha(?:ha)+|hm+|not now|(?:maybe )?later|wow|done",
  "well done",
  "(?:already )?(?:merged|merging|reviewed|reviewing|approved|fixed|solved|resolved)" +
    "(?: (?:it|this|that|now|already))*",
  "(?:i'?ll|i will|we'?ll|we will|will|let me) " +
    "(?:do|(?:review|merge|check|test|try|read|look|(?:take|have) a look)(?: at)?)" +
    `(?: (?:${THIS}))?(?: (?:out|later|now|soon|today|tomorrow|first))*`,
  `congrats|congratulations|yay|hooray|love it|i love (?:${THIS}|you)`,
  `you(?:'?re| are) (?:the best|${GOOD})|you rock|(?:bad|stupid|silly|useless) bot`,
  "(?:you(?:'?re| are) )?(?:a|an|the|my) (?:life ?saver|star|hero|legend|gem|genius)",
  "forget (?:about )?(?:it|that|this)",
  `ignore (?:${THIS}|me|my (?:last |previous )?(?:message|request|question))|no need`,
  "(?:no longer|not) needed(?: any ?more)?|wait(?: no)?|hold on|hang on",
  "(?:one|just a|give me a) (?:sec|second|minute|moment)|don'?t",
  "(?:wrong|other) (?:channel|thread|bot|window)",
  `(?:(?:${THIS}) )?works?(?: (?:now|fine|great|well|for me))*`,
]

export const COMMENT = new RegExp(`^(?:${COMMENTS.join("|")})${ALL}$`)

/** "Can you cancel that?" and "how do I cancel" mean the verb. */
export const ASKED_FOR =
  /^(?:(?:can|could|would|will) (?:you|i|we)|(?:i|we)(?:'d like| would like| want| need) to|how (?:do|can|could) (?:i|we)) /

const BOT = "you|this|it|the bot|this bot|docs agent|the docs agent"

/** Asked about the bot, not about the docs. */
export const ABOUT_THE_BOT = new RegExp(
  [
    `^(?:so )?(?:what (?:else )?can (?:i|we|${BOT}) (?:do|ask|say|type)(?: (?:you|here|for (?:me|us)|with (?:${BOT})))?`,
    `what (?:do|does|are) (?:${BOT})(?: do)?|what(?:'s| is) (?:this|docs agent|the docs agent|this bot|your name|your job)`,
    "what commands (?:are there|do you (?:have|know|support|understand)|can i use)|(?:list|show)(?: me)?(?: the| all)? commands|commands",
    `who (?:are|is|made|runs) (?:${BOT})`,
    `how (?:do|does|can|should|to) ?(?:i|we|${BOT})? ?(?:work|use|ask|start|talk to)(?: (?:${BOT}|here))?`,
    `(?:is|are) (?:${BOT})(?: thing)? (?:on|working|up|down|alive|broken|online|awake|ready|a bot|a robot|(?:a )?human|real|an ai|ai)|do you work`,
    "(?:can|could|will) (?:you|someone|anyone) help(?: me| us)?(?: out)?(?: with (?:something|this|that|the docs))?",
    "(?:i|we) need (?:some )?help|(?:i have a )?(?:quick )?question|menu|usage|info)$",
  ].join("|"),
)

const SHOW = "(?:(?:show|list|check|get|give|see|tell|what'?s|what is|my|me|the|your|our) ){0,4}"
const ONES =
  "(?: (?:it|this|that|all|everything|now|here|my|the|job|jobs|request|requests|one|last))"

/** What belongs to `/docs-visitors`. */
const VISITORS = [
  `${SHOW}(?:visitors|analytics|traffic|gaps|subscriptions)(?: (?:\\d{1,3}d|today|yesterday|(?:this|last) (?:week|month)|help))?`,
  `${SHOW}(?:page ?views|top pages|statistics)|who visited(?: us| (?:the|our) docs)?`,
  "(?:un)?subscribe(?: (?:me|us))?(?: (?:daily|weekly|monthly))?(?: at \\d\\d? ?\\d\\d)?",
  "who(?:'s| is)? read(?:s|ing) (?:the|our) docs",
  "how many (?:visitors|readers|page ?views)(?: (?:did|do) we (?:have|get))?(?: today| yesterday| (?:this|last) (?:week|month))?",
  "alert (?:on|off|list)|\\d{1,3}d",
]

/** What stands for each verb, beyond the verb itself. */
export const HINTS = {
  help: /^(?:(?:show|get|need|see) )?(?:me )?(?:the )?help(?: (?:me|us|menu|text|here|out))?$/,
  status: new RegExp(
    [
      `^(?:${SHOW}(?:job )?(?:status|progress|queue|jobs|eta)(?: (?:of|on|for))?(?:${ONES}{0,3}| ${THING})`,
      `(?:any|status) (?:updates?|news|progress)(?: (?:on|about|for) ${THING})?`,
      `where(?:'?s| is| are) ${THING}|(?:is|are|has) (?:${THING}|you|we) (?:still )?(?:done|ready|finished|running|working|stuck|merged|started)(?: on ${THING})?(?: yet| now| already)?`,
      `did (?:${THING}|you) (?:work|finish|succeed|fail|start)(?: ${THING})?(?: yet)?|still (?:running|working|waiting)(?: on ${THING})?|(?:done|ready|finished) yet`,
      `how (?:long|much longer)(?: (?:will|does|is) ${THING}(?: take)?| to go| left)?|when (?:will|is) ${THING} (?:be )?(?:done|ready|finished)`,
      `why (?:is|does) ${THING} (?:taking|take) (?:so|this|that) long|how(?:'?s| is) ${THING} (?:going|doing|coming along)(?: (?:with|on) ${THING})?`,
      "what(?:'?s| is) (?:happening|going on)|what are you (?:doing|working on)(?: now| right now)?",
      "(?:what(?:'?s| is) )?my (?:place|position)(?: in (?:the )?(?:queue|line))?|how long is the (?:queue|line)|am i next)$",
    ].join("|"),
  ),
  quota: new RegExp(
    `^${SHOW}(?:hourly )?(?:quota|limits?)(?: (?:left|remaining|now))?$|^how (?:many (?:jobs|requests)|much quota)(?: (?:are|is)| (?:do|can) (?:i|we) (?:have|make|start|run))?(?: left| remaining)?(?: this hour| (?:per|an) hour)?$`,
  ),
  cancel: new RegExp(`^(?:cancel|abort|stop|halt|kill)${ONES}{0,3}$`),
  retry: new RegExp(
    `^(?:retry|(?:(?:try|run|do) )?(?:(?:it|this|that) )?again|rerun|re-run|redo|once more|one more time|start over|restart)${ONES}{0,3}$`,
  ),
  quiet:
    /^(?:(?:be )?(?:quiet|mute|silence|shut up)(?: (?:it|this|that|thread|now))*|(?:stop|quit) (?:notifying|pinging|mentioning|tagging) me|stop (?:the )?notifications|(?:stop following|unfollow)(?: (?:it|this|that))?|leave me alone)$/,
  doctor: /^(?:run )?(?:the )?(?:doctor|health ?check|diagnostics)$/,
  audit: new RegExp(`^${SHOW}audit(?: log)?$`),
  "forget-me": /^(?:forget[ -]?me|(?:forget|delete) (?:me|my data))$/,
  use: /^(?:use|(?:use |switch |change |list |which |show )?projects?|(?:which|what) projects (?:are there|do you have|can i use))$/,
  visitors: new RegExp(`^(?:docs[ -])?(?:${VISITORS.join("|")})$`),
} as const satisfies Record<string, RegExp>

/** A verb with what can only be a job's id, as one digit in it shows: `retry 2345678922`. */
export const VERB_WITH_ID = /^(status|retry|quiet|cancel) (?:job )?[\w-]{0,20}\d[\w-]{0,20}$/

/**
 * One word behind a verb: `cancel abc` is a mistyped id, "cancel subscriptions" may be a page. Thanks
 * that go on may end in a request.
 */
export const DOUBTFUL = new RegExp(
  `^(?:${[
    "thanks (?:for|and|now|so|again|that|this) .+|thank you .+",
    "(?:cancel|abort|retry|status|help|quota|quiet|mute) [a-z][\\w-]*|asdf\\w*",
    "(?:do|unmute|undo|revert|merge|ship|approve|start|run|continue|proceed|go|go ahead|yes do|do that|do this|close|reopen|pause|resume|repeat|explain|review|roll ?back)(?: (?:it|this|that|the (?:pr|pull request)))?",
    "(?:exactly|fair enough|good to know|(?:i )?(?:dis)?agree|same here|me too|on it|found it|huh|eh|meh)",
    "(?:(?:this|that|it)(?:'s| is) )?(?:all )?(?:wrong|useless)|try harder|say that again",
    "thoughts|opinions|wdyt|ptal|brb|afk|fyi|cc|lunch|anyone|now what|waiting(?: for review)?",
    "(?:(?:show|send|give)(?: me)? )?(?:the )?(?:prs?|pull request|link|pr link|diff|summary|(?:re)?(?:build )?preview)|summarize",
    "approved and merged|any luck",
  ].join("|")})$`,
)
