import type { Message } from "../../ports/message.ts"
import {
  alertsMessage,
  alertsOffMessage,
  alertsOnAlready,
  alertsOnMessage,
  cannotAlertMessage,
  noAlertsMessage,
  reportExpiredMessage,
  tooManyAlerts,
} from "../../views/visitors/alerts.ts"
import type { AlertCommand } from "../../visitors/alerts/parse-alert.ts"
import { type AlertChoice, turnOff, turnOn } from "../../visitors/alerts/toggle.ts"
import { tell } from "../tell.ts"
import type { Asker, VisitorsDeps } from "./deps.ts"
import { show } from "./show.ts"

interface AlertAsker extends Asker {
  project: string
}

/** @returns what to say privately; nothing when it was said in the channel */
export async function alertsCommand(
  deps: VisitorsDeps,
  asker: AlertAsker,
  command: AlertCommand,
): Promise<Message | undefined> {
  const { team, channel } = asker
  switch (command.do) {
    case "on":
      return on(deps, asker, command.choice)
    case "off": {
      const views = { off: alertsOffMessage }
      const { ended, said } = await turnOff(deps, asker, command.choice, views)
      if (ended.length === 0) return noAlertsMessage()
      return said ? undefined : alertsOffMessage(asker.user, ended)
    }
    case "list": {
      const alerts = await deps.alerts.of(team, channel)
      return alerts ? alertsMessage(alerts) : noAlertsMessage()
    }
    default:
      return command satisfies never
  }
}

async function on(
  deps: VisitorsDeps,
  asker: AlertAsker,
  choice: AlertChoice,
): Promise<Message | undefined> {
  const turned = await turnOn(deps, asker, choice, { on: alertsOnMessage })
  switch (turned.kind) {
    case "on":
      return undefined
    case "on_already":
      return alertsOnAlready()
    case "too_many":
      return tooManyAlerts(turned.most)
    case "refused":
      return cannotAlertMessage(turned.refusal, asker.channel)
    default:
      return turned satisfies never
  }
}

/** "Open the report" below an alert: everybody in its channel may, each for themselves. */
export async function openReport(deps: VisitorsDeps, asker: Asker, value: string): Promise<void> {
  const linked = await deps.linked.load(value)
  if (linked?.channel !== asker.channel) return tell(deps, asker, reportExpiredMessage())
  await show(deps, asker, linked.question, { view: "report", replace: false })
}
