/**
 * Phrases that people say to a bot and that no change of the docs is meant by. Each pattern is held
 * against a whole clause of at most 120 lower-case characters, without punctuation, emoji or "please".
 */

/** To whom it is said. */
const ALL = "(?: (?:there|bot|docs agent|agent|again|everyone|all|team|guys|folks|mate|so much))*"

const GOOD =
  "ok|okay|k|kk|cool|nice|great|awesome|perfect|excellent|amazing|brilliant|wonderful|fantastic|lovely|sweet|good|neat|super|fine|helpful|impressive|beautiful|correct"
const THIS = "this|that|it|everything"

export const THANKS = new RegExp(
  `^(?:(?:${GOOD}|many|big|huge|alright|well|wow|oh|ah|and) ){0,3}` +
    "(?:thanks|thank (?:you|u|ya)|thankyou|thx|thnx|tnx|ty|tysm|cheers|kudos|merci|danke|gracias|much appreciated|appreciated|(?:i |we )?(?:really )?appreciate (?:it|this|that|the help|your help))" +
    "(?: (?:so |very |a )?(?:much|lot|bunch|million|ton))?(?: in advance)?" +
    `(?: for (?:(?:all|the|your|this|that|such|a|great|quick|good|nice|hard) ){0,3}(?:${THIS}|help|work|job|support|fix|update|pr|pull request|changes?|time|effort|answer|reply|info|page|docs|review|helping|fixing (?:it|this|that)|doing (?:it|this|that)))?${ALL}$`,
)

export const GREETING = new RegExp(
  `^(?:hi+|hello+|hey+|hiya|howdy|yo|sup|greetings|hola|bonjour|hallo|ciao|good (?:morning|afternoon|evening|day|night)|morning|bye|goodbye|see you|see ya|have a (?:nice|good|great) (?:day|weekend|evening)|how are you(?: doing)?(?: today)?|how's it going|what's up|nice to meet you|(?:are )?you there|any(?:one|body) there|hello world|(?:just )?test(?:ing)?|this is a test|ping)${ALL}$`,
)

export const COMMENT = new RegExp(
  `^(?:(?:(?:${THIS}|all)(?:'s| is| was)? )?(?:(?:looks?|looking|sounds?|works?) )?(?:(?:so|very|really|pretty|just|all) )?(?:${GOOD})(?: to me| (?:job|work|one|stuff|bot|now))?` +
    `|lgtm|yes|yep|yeah|no|nope|nah|sure|alright|understood|noted|got it|i see|makes sense|agreed|never ?mind|nvm|no (?:problem|worries|thanks|thank you)|np|you're welcome|my bad|sorry|oops|lol|ha(?:ha)+|hmm+|wow|done|well done|congrats|congratulations|yay|hooray|love it|i love (?:${THIS}|you)|bad bot|forget it|ignore (?:${THIS}|me)|wrong (?:channel|thread)|(?:${THIS}) works?(?: now)?)${ALL}$`,
)

const BOT = "you|this|it|the bot|this bot|docs agent|the docs agent"

/** Asked about the bot, not about the docs. */
export const ABOUT_THE_BOT = new RegExp(
  [
    `^(?:so )?(?:what (?:else )?can (?:i|we|${BOT}) (?:do|ask|say|type)(?: (?:you|here|for (?:me|us)|with (?:${BOT})))?`,
    `what (?:do|does|are) (?:${BOT})(?: do)?|what(?:'s| is) (?:this|docs agent|the docs agent|this bot|your name|your job)`,
    "what commands (?:are there|do you (?:have|know)|can i use)|(?:list|show)(?: me)?(?: the| all)? commands|commands",
    `who (?:are|is|made|runs) (?:${BOT})`,
    `how (?:do|does|can|should|to) ?(?:i|we|${BOT})? ?(?:work|use|ask|start|talk to)(?: (?:${BOT}|here))?`,
    `(?:is|are) (?:${BOT})(?: thing)? (?:on|working|up|down|alive|broken|online|awake|ready|a bot|a robot|human|real|an ai|ai)|do you work`,
    "(?:can|could|will) (?:you|someone|anyone) help(?: me| us)?(?: out)?(?: with (?:something|this|that|the docs))?",
    "(?:i|we) need (?:some )?help|(?:i have a )?(?:quick )?question|menu|usage|info)$",
  ].join("|"),
)

const SHOW = "(?:(?:show|check|get|give|see|tell|what's|what is|my|me|the|your|our) ){0,4}"
const ONES =
  "(?: (?:it|this|that|all|everything|now|here|my|the|job|jobs|request|requests|one|last))"

/** What stands for each verb, beyond the verb itself. */
export const HINTS = {
  help: /^(?:(?:show|get|need|see) )?(?:me )?(?:the )?help(?: (?:me|us|menu|text|here|out))?$/,
  status: new RegExp(
    `^(?:${SHOW}(?:job )?(?:status|progress|queue|jobs|eta)(?: (?:of|on|for))?${ONES}{0,3}|(?:any|status) updates?|any (?:news|progress)|is (?:it|this|that) (?:done|ready|finished|running)(?: yet)?|are (?:you|we) (?:done|finished)(?: yet)?|how long(?: (?:will|does) (?:it|this|that) take)?|where(?:'s| is) my (?:pr|pull request|job|request))$`,
  ),
  quota: new RegExp(`^${SHOW}(?:hourly )?(?:quota|limits?)(?: (?:left|remaining|now))?$`),
  cancel: new RegExp(`^(?:cancel|abort|stop|halt|kill)${ONES}{0,3}$`),
  retry: new RegExp(`^(?:retry|try again|again|rerun|re-run|run (?:it )?again|redo)${ONES}{0,3}$`),
  quiet: /^(?:be )?(?:quiet|mute|unmute|silence|shut up)(?: (?:it|this|that|thread|now))*$/,
  doctor: /^(?:run )?(?:the )?(?:doctor|health ?check|diagnostics)$/,
  audit: new RegExp(`^${SHOW}audit(?: log)?$`),
  "forget-me": /^(?:forget[ -]?me|(?:forget|delete) (?:me|my data))$/,
  use: /^(?:use|(?:use |switch |change |list |which )?projects?)$/,
  visitors: new RegExp(
    `^(?:docs[ -])?(?:${SHOW}(?:visitors|analytics|traffic|gaps|subscriptions)(?: (?:\\d{1,3}d|today|yesterday|this month|last month|help))?|(?:un)?subscribe(?: (?:daily|weekly|monthly))?(?: at \\d\\d? ?\\d\\d)?|alert (?:on|off|list)|\\d{1,3}d)$`,
  ),
} as const satisfies Record<string, RegExp>

/** A verb with what can only be a job's id, as one digit in it shows: `retry 2345678922`. */
export const VERB_WITH_ID = /^(status|retry|quiet|cancel) (?:job )?[\w-]{0,20}\d[\w-]{0,20}$/

/**
 * One word behind a verb: `cancel abc` is a mistyped id, "cancel subscriptions" may be a page. Thanks
 * that go on may end in a request.
 */
export const DOUBTFUL =
  /^(?:thanks (?:for|and|now|so|again|that|this) .+|thank you .+|(?:cancel|abort|retry|status|help|quota|quiet|mute) [a-z][\w-]*|(?:do|undo|revert|merge|ship|approve|start|run|continue|proceed|go|go ahead|yes do|do that|do this)(?: (?:it|this|that))?)$/
