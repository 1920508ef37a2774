import { truncate } from "../text/truncate.ts"
import { plainLine, SHOUT } from "./mrkdwn.ts"

/** "Title for the agent session (max 200 characters)": whether of code points or of UTF-16 is not said. */
const MOST = 200

/**
 * Names a session: its request on one line. Slack does not say whether it reads markup in a
 * title, so there are no brackets for any.
 */
export function sessionTitle(words: string): string {
  const line = plainLine(words.replaceAll("<", "‹").replaceAll(">", "›"), MOST).replace(
    SHOUT,
    "@\u200b",
  )
  return line.length <= MOST ? line : truncate(line, MOST / 2)
}
