/** Ids that tests, the page and a sandbox bot's settings can rely on. */
export const TEAM = "T0LOCAL001"
export const OTHER_TEAM = "T0OTHER001"

export const APP = "A0DOCSAGENT"
export const BOT = "B0DOCSAGENT"
export const BOT_USER = "U0DOCSAGENT"
/** Slack's own bot, of every workspace. */
export const SLACKBOT = "USLACKBOT"
/** User group `@writers`. */
export const WRITERS = "S0WRITERS1"

/** Members. */
export const ADA = "U0ADA00001"
export const BEN = "U0BEN00001"
/** Member who administers the workspace. */
export const CLEO = "U0CLEO0001"
/** Guest (`is_restricted`). */
export const GUS = "U0GUS00001"
/** Member of another workspace, in `SHARED`. */
export const EVE = "U0EVE00001"

/** Public channel with the bot. */
export const DOCS = "C0DOCS0001"
/** Public channel without the bot. */
export const RANDOM = "C0RANDOM01"
/** Private channel with the bot. */
export const EDITORS = "C0EDITORS1"
/** Private channel without the bot. */
export const LEADS = "C0LEADS001"
/** Archived channel; the bot was a member. */
export const OLD_DOCS = "C0OLDDOCS1"
/** Channel shared with another workspace (Slack Connect), with the bot. */
export const SHARED = "C0SHARED01"
/** Direct messages with the bot. */
export const ADA_DM = "D0ADA00001"
export const BEN_DM = "D0BEN00001"
