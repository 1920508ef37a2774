import type { Caller } from "../slack/payload-fields.ts"
import { type Command, type Heard, own } from "../slack/payloads.ts"
import type { Reply } from "./answer.ts"
import { isFirstTime } from "./first-time.ts"
import { outdated, routes } from "./routes.ts"
import type { VisitorsRouteDeps as Deps } from "./visitors/routes.ts"

/**
 * What is durable, and what is answered, to a payload; undefined where nothing listens to it.
 * @throws SlackIsSlow nothing was done yet
 */
export function replyTo(deps: Deps, payload: Heard): Promise<Reply> | undefined {
  switch (payload.kind) {
    case "command":
      return own(routes.commands, payload.entry)?.(deps, payload).then((reply) =>
        notReplayed(deps, payload, reply),
      )
    case "message": {
      // It may come again, as retry or as another event about the same message.
      const once = `word:${payload.channel}:${payload.ts}`
      return own(routes.events, payload.entry)?.(deps, payload).then((reply) => ({
        ...reply,
        once,
      }))
    }
    case "home":
      return own(routes.homes, payload.entry)?.(deps, payload)
    case "stop":
      return own(routes.stops, payload.entry)?.(deps, payload)
    case "shortcut":
      return own(routes.shortcuts, payload.callback)?.(deps, payload)
    case "form":
      return own(routes.forms, payload.callback)?.(deps, payload)
    case "click":
      return (own(routes.actions, payload.action) ?? outdated)(deps, payload)
    case "other":
      return undefined
    default:
      return payload satisfies never
  }
}

/** Whoever got hold of a command can send it again. */
function notReplayed(deps: Deps, command: Command, { work, ...reply }: Reply): Reply {
  if (!work) return reply
  const once = async () => ((await isFirstTime(deps.agent.queue, command)) ? work() : undefined)
  return { ...reply, work: once }
}

/**
 * Is it a command whose acknowledgement shows an answer? That is ephemeral, as nothing is in the bot's
 * own direct messages.
 */
export function isShownAtOnce(payload: Heard): payload is Command {
  return payload.kind === "command" && !payload.channel.startsWith("D")
}

/** Who is answered. */
export function callerOf(payload: Heard): Caller {
  return { ...payload, user: payload.user ?? "" }
}
