import { admitted } from "../asking/access-rules.ts"
import { splitProject } from "../asking/parse-typed-text.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import { dayOf } from "../lib/time.ts"
import { unknownProjectMessage } from "../messages/refused-requests.ts"
import type { Click, Command } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { isCommandFault, parseCommand } from "./parse-command.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import { expired } from "./report-unavailable.ts"
import { showGaps } from "./show-gaps.ts"
import { showReport } from "./show-report.ts"
import { loadShown, type Meant, meantView, saveShown } from "./stored-reports.ts"
import { listSubscriptions, turnOff, turnOn } from "./subscriptions.ts"
import { faultMessage, meantMessage, VISITORS_HELP } from "./visitors-help.ts"

/** Answers `/docs-visitors`. Reads numbers after the acknowledgement, because that takes longer. */
export const docsVisitors = admitted(
  async (visitors: VisitorsContext, command: Command, { timeZone }) => {
    const { projects } = visitors.context.settings
    // Here `project=` may also stand last, where a prompt could mean it as its own words.
    const text = command.typed.trim().replace(/^(.+)\s(project=\S+)$/is, "$2 $1")
    const { project: typed, words } = splitProject(text)
    const project = projects.choose(command.channel, typed)?.key
    if (project === undefined) return { ack: unknownProjectMessage(typed, projects.names) }
    return perform(visitors, command, { project, isNamed: typed !== undefined, words, timeZone })
  },
)

/** Runs what the bot asked about, in place of the question. */
export const runMeant = admitted(async (visitors: VisitorsContext, click: Click, { timeZone }) => {
  const meant = await loadShown(
    visitors.context.store,
    meantView,
    { user: click.user },
    click.value,
  )
  if (!meant) return { ack: expired("question", "/docs-visitors") }
  return perform(visitors, click, { ...meant, timeZone, replace: true })
})

/** Command of somebody in this time zone. `replace`: they clicked a message that its answer replaces. */
type Asked = Meant & { timeZone: string; replace?: boolean }

async function perform(
  visitors: VisitorsContext,
  caller: Command | Click,
  { project, isNamed, words, timeZone: zone, replace = false }: Asked,
): Promise<Reply> {
  const { context } = visitors
  const { channel = "", user } = caller
  const asker = { channel, user, project, zone }
  const wanted = parseCommand(words, project, dayOf(await currentTime(context.store)))
  if (isCommandFault(wanted)) {
    const { meant } = wanted
    if (meant === undefined) return { ack: faultMessage(wanted) }
    const id = await saveShown(context.store, { user }, { project, isNamed, words: meant })
    const name = isNamed ? context.settings.projects.nameOf(project) : undefined
    return { ack: meantMessage(meant, { id, project: name }) }
  }
  switch (wanted.kind) {
    case "report":
      return { work: () => showReport(visitors, caller, wanted.selection, { replace }) }
    case "gaps":
      return { work: () => showGaps(visitors, user, wanted), replace }
    case "help":
      return { ack: VISITORS_HELP, replace }
    case "list":
      return { ack: await listSubscriptions(context, channel, wanted.what), replace }
    case "off": {
      const named = { ...wanted.named, project: isNamed ? project : undefined }
      return { ack: await turnOff(context, asker, wanted.what, named), replace }
    }
    default:
      return { ack: await turnOn(visitors, asker, wanted), replace }
  }
}
