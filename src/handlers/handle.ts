import type { Message } from "../ports/message.ts"
import type { Click, Shortcut } from "../slack/payload-interactions.ts"
import type { Ack } from "../slack/payload-processor.ts"
import { type Command, type Heard, own } from "../slack/payloads.ts"
import { follow, inTime, isFirstTime, type Reply } from "./answer.ts"
import { routes } from "./routes.ts"
import type { VisitorsRouteDeps } from "./visitors/routes.ts"

/** What is done about each payload, and how it is acknowledged. */
export function handling(deps: VisitorsRouteDeps) {
  return (payload: Heard, ack: Ack): Promise<void> => handle(deps, payload, ack)
}

async function handle(deps: VisitorsRouteDeps, payload: Heard, ack: Ack): Promise<void> {
  switch (payload.kind) {
    case "command": {
      const reply = own(routes.commands, payload.entry)?.(deps, payload)
      return reply && answerCommand(deps, payload, reply, ack)
    }
    case "message":
      return routes.events[payload.entry](deps, payload)
    case "home":
      return routes.events.app_home_opened(deps, payload)
    case "shortcut": {
      const reply = own(routes.shortcuts, payload.callback)?.(deps, payload)
      return reply && acknowledge(deps, payload, await reply, ack)
    }
    case "form": {
      const answer = own(routes.forms, payload.callback)?.(deps, payload)
      return answer && ack(await answer)
    }
    case "click": {
      const reply = await (own(routes.actions, payload.action) ?? routes.outdated)(deps, payload)
      return acknowledge(deps, payload, reply, ack)
    }
    case "other":
      return
    default:
      payload satisfies never
  }
}

async function acknowledge(
  deps: VisitorsRouteDeps,
  payload: Click | Shortcut,
  reply: Reply,
  ack: Ack,
): Promise<void> {
  await ack()
  if (reply.work) await follow(deps, payload, reply)
}

async function answerCommand(
  deps: VisitorsRouteDeps,
  command: Command,
  replying: Promise<Reply>,
  ack: Ack,
): Promise<void> {
  const answer = replying.then((reply): Message | undefined => reply.ack)
  await ack(await inTime(deps, command.entry, answer, (message) => message))
  // A slow store may have let the acknowledgement go first; a failed one has been answered and logged.
  const { work, sorry } = await replying.catch((): Reply => ({}))
  if (!work) return
  const once = async () => ((await isFirstTime(deps.agent.queue, command)) ? work() : undefined)
  await follow(deps, command, { work: once, sorry })
}
