import { parseArgs } from "node:util"

export interface CommandLine {
  readonly help: boolean
  /** Port; undefined for 4000 or the next free one. */
  readonly port: number | undefined
  readonly mode: "http" | "socket"
  /** True for one's own Slack workspace instead of the local one. */
  readonly slack: boolean
}

/** Parses the command line. @throws Error naming the invalid argument. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      port: { type: "string" },
      socket: { type: "boolean", default: false },
      slack: { type: "boolean", default: false },
    },
  })
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`)
  }
  return {
    help: values.help,
    port,
    mode: values.socket ? "socket" : "http",
    slack: values.slack,
  }
}

export const HELP = `The whole product on this machine: the bot as it runs in production, a local Slack in the
browser, a local documentation service and Redis.

npm run sandbox -- [options]
  --port <n>   the page's port; 4000 by default, or the next free one
  --socket     the bot uses Socket Mode instead of signed HTTP requests
  --slack      your own Slack workspace instead of the local one, over Socket Mode, with the tokens
               in .env; the service and GitHub stay local, and cards say Sandbox
  --help       shows this text

The bot's settings, such as JOBS_PER_HOUR or ALLOWED_CHANNELS, come from the environment. Its data is
in a redis-server that is started in DATA_DIR (.data) and stopped at the end, or in REDIS_URL. Without
a redis-server on PATH, it is kept in this process.

Everything the page does can also be done over HTTP, at the same address:
  POST /api/say          {"as": "ada", "channel": "docs", "text": "/docs-agent fix the quickstart"}
                         a line as typed into the composer; "thread": "<ts>" replies in a thread,
                         "files": [{"name": "notes.md", "content": "…"}] and "table": [["…"]] go along
  POST /api/edit         {"as": "ada", "channel": "docs", "ts": "<ts>", "text": "…"} edits a message
  GET  /api/messages     ?channel=docs&as=ada&thread=<ts>; "as" adds what only that person sees
  POST /api/click        {"as": "ada", "target": {"channel": "docs", "ts": "<ts>"}, "action": "cancel"}
                         "target" may be "home" or "modal"; confirmation dialogs are accepted automatically
  POST /api/select       the same with "option": the value or text of an option
  POST /api/submit       {"as": "ada", "values": {"prompt": "fix the quickstart"}} submits the modal
  POST /api/close-modal  {"as": "ada"}
  POST /api/shortcut     {"as": "ada", "channel": "docs", "ts": "<ts>", "callback": "ask_docs_agent"}
  POST /api/global-shortcut {"as": "ada", "callback": "ask_docs_agent_global"}
  POST /api/home         {"as": "ada"} opens the Home tab
  POST /api/messages-tab {"as": "ada"} opens the Messages tab
  POST /api/stop         {"as": "ada", "channel": "docs", "ts": "<ts>"} clicks Stop in a thread
  POST /api/agent        {"surface": "undeclared"} makes the app an ordinary one, "declared" an agent
                         again, "disabled" one whose plan has no agents
  POST /api/time         {"minutes": 60} skips ahead for everyone. The bot restarts, as if its host
                         had slept
  GET  /api/state        the full state, for everyone
  GET  /api/events       the same as server-sent events: at once, and again after changes
Review, merge or close a pull request on its own page, or by posting the page's forms:
  curl -d do=merge <link>; also close, reopen, draft, ready, and "do=review&state=APPROVED"
People: ada and ben (members), cleo (admin), gus (guest), eve (from another workspace).
Channels: docs, random (without the bot), editors and leads (private), old-docs (archived), partners.
Errors return {"ok": false, "error": "…"} with a 4xx status.
`
