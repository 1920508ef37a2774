import { admitted } from "../asking/access-rules.ts"
import { splitProject } from "../asking/parse-typed-text.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import { dayOf } from "../lib/time.ts"
import { unknownProjectMessage } from "../messages/refused-requests.ts"
import type { Click, Command } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { isCommandFault, parseCommand, type VisitorsCommand } from "./parse-command.ts"
import { expired } from "./report-unavailable.ts"
import { showGaps } from "./show-gaps.ts"
import { showReport } from "./show-report.ts"
import { type Meant, meantView } from "./stored-reports.ts"
import { listSubscriptions, turnOff, turnOn } from "./subscriptions.ts"
import type { VisitorsContext } from "./visitors-context.ts"
import { faultMessage, meantMessage, VISITORS_HELP } from "./visitors-help.ts"

/** Answers `/docs-visitors`. Reads numbers after the acknowledgement, because that takes longer. */
export const docsVisitors = admitted(
  async (visitors: VisitorsContext, command: Command, { timeZone }) => {
    const { store, settings } = visitors.context
    const { projects } = settings
    // Here `project=` may also stand last, where a prompt could mean it as its own words.
    const text = command.typed.trim().replace(/^(.+)\s(project=\S+)$/is, "$2 $1")
    const { project: typed, words } = splitProject(text)
    const project = projects.choose(command.channel, typed)?.key
    if (project === undefined) return { ack: unknownProjectMessage(typed, projects.names) }
    const wanted = parseCommand(words, project, dayOf(await currentTime(store)))
    const isNamed = typed !== undefined
    if (!isCommandFault(wanted))
      return perform(visitors, command, wanted, { project, isNamed, timeZone })
    const { meant } = wanted
    if (meant === undefined) return { ack: faultMessage(wanted) }
    const viewer = { user: command.user }
    const id = await visitors.shown.save(viewer, { project, isNamed, words: meant })
    return { ack: meantMessage(meant, { id, project: typed }) }
  },
)

/** Runs what the bot asked about, in place of the question. */
export const runMeant = admitted(async (visitors: VisitorsContext, click: Click, { timeZone }) => {
  const meant = await visitors.shown.load(meantView, { user: click.user }, click.value)
  if (!meant) return { ack: expired("question", "/docs-visitors") }
  const today = dayOf(await currentTime(visitors.context.store))
  const wanted = parseCommand(meant.words, meant.project, today)
  if (isCommandFault(wanted)) return { ack: faultMessage(wanted) }
  if (wanted.kind === "report")
    return { work: () => showReport(visitors, click, wanted.selection, { replace: true }) }
  return { ...(await perform(visitors, click, wanted, { ...meant, timeZone })), replace: true }
})

type Wanted = Exclude<VisitorsCommand, { words: string }>
type InProject = Omit<Meant, "words"> & { timeZone: string }

/** Does what a command asks for. `isNamed`: the person named the project. */
async function perform(
  visitors: VisitorsContext,
  caller: Command | Click,
  wanted: Wanted,
  { project, isNamed, timeZone: zone }: InProject,
): Promise<Reply> {
  const { channel = "", user } = caller
  const asker = { channel, user, project, zone }
  switch (wanted.kind) {
    case "report":
      return { work: () => showReport(visitors, caller, wanted.selection) }
    case "gaps":
      return { work: () => showGaps(visitors, user, wanted) }
    case "help":
      return { ack: VISITORS_HELP }
    case "list":
      return { ack: await listSubscriptions(visitors, channel, wanted.what) }
    case "off": {
      const named = { ...wanted.named, project: isNamed ? project : undefined }
      return { ack: await turnOff(visitors, asker, wanted.what, named) }
    }
    default:
      return { ack: await turnOn(visitors, asker, wanted) }
  }
}
