import type { LocalSlack } from "../sandbox/slack/local-slack.ts"
import { statusOf } from "../sandbox/slack/workspace/sessions.ts"

/** What people see of the agent beside a thread: "working", with a Stop button, or at rest. */
export interface SessionVerdict {
  sessions: number
  /** Nothing runs any more, and Slack still shows that it does. */
  notActive: string[]
  /** Times that Slack was told what it knew: an answer was lost, or a process was killed. */
  repeated: number
}

/** When every job has ended. */
export function judgeSessions({ agents }: LocalSlack): SessionVerdict {
  const sessions = agents.sessions()
  const repeats = sessions.map(
    ({ history }) => history.filter(({ status }, n) => status === history[n - 1]?.status).length,
  )
  return {
    sessions: sessions.length,
    notActive: sessions.flatMap((session) =>
      statusOf(session) === "active" ? [] : [`${session.title} (${session.channel})`],
    ),
    repeated: repeats.reduce((sum, n) => sum + n, 0),
  }
}
