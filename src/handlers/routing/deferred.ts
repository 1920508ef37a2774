import { SlackError } from "../../errors/slack-error.ts"
import { PayloadForgotten } from "../../jobs/deferred-payloads.ts"
import type { JobStore } from "../../jobs/ports.ts"
import { fieldsRead, type Heard, parsePayload } from "../../slack/payloads.ts"
import { slackIsSlowMessage, slackIsTooSlowMessage } from "../../views/request-messages.ts"
import { patiently, SlackIsSlow } from "../admit.ts"
import { answer, failureMessage, type Reply } from "../answer.ts"
import { callerOf, isShownAtOnce } from "../tell.ts"
import type { VisitorsRouteDeps as Deps } from "../visitors/routes.ts"
import { replyTo } from "./dispatch.ts"

/**
 * While Slack is slow to say who somebody is, their payload is stored, and the acknowledgement
 * waits for that alone. Then it is acted upon; if this process dies first, another one does it.
 * @param body as Slack sent it
 */
export async function defer(deps: Deps, payload: Heard, body: unknown): Promise<Reply> {
  const { entry, slack } = payload
  const deferred = { id: idOf(payload), body: fieldsRead(body) }
  const taken = await deps.deferred.keep(deferred, payload.user ?? "")
  if (taken === "seen") return {}
  if (taken === "full") return { ack: slackIsTooSlowMessage() }
  deps.log.info(
    { entry, slack },
    "Slack is slow to identify somebody; their request waits until it does",
  )
  const meanwhile = isShownAtOnce(payload) ? slackIsSlowMessage() : undefined
  // They were told that it waits; should it wait longer, it is still kept.
  return { ack: meanwhile, work: async () => void (await actOnDeferred(deps)), unasked: true }
}

/**
 * Acts upon the deferred payload that is due longest: `none` when none is due, `kept` when Slack does not
 * say even now who is asking. That one is due again when its lease is over.
 * @throws what the store does while it is away: the payload is claimed again later
 */
export async function actOnDeferred(deps: Deps): Promise<"acted" | "kept" | "none"> {
  const deferred = await deps.deferred.claim()
  if (!deferred) return "none"
  const payload = parsePayload(deferred.body)
  if (payload.kind === "malformed" || payload.kind === "rate_notice") {
    deps.log.error({ delivery: deferred.id }, "dropped a deferred delivery that can't be read")
    await deps.deferred.settle(deferred.id)
    return "acted"
  }
  const caller = callerOf(payload)
  const reply = await patientReply(whileKept(deps, deferred.id), payload)
  if (!reply) return "kept"
  const { work, sorry, ...words } = reply
  await answer(deps, caller, words)
  // What is done after an acknowledgement is tried once, here as elsewhere.
  await deps.deferred.settle(deferred.id)
  await answer(deps, caller, { work, sorry })
  return "acted"
}

/**
 * Whatever comes of it is kept only while the payload is, which goes when its person is forgotten.
 */
function whileKept(deps: Deps, deferred: string): Deps {
  const { jobs } = deps.agent
  const itsJobs: JobStore = {
    ...jobs,
    enqueue: (job) => jobs.enqueue({ ...job, deferred }),
    saveDraft: (draft) => jobs.saveDraft({ ...draft, deferred }),
  }
  return { ...deps, agent: { ...deps.agent, jobs: itsJobs } }
}

/** Undefined when nothing was done, as Slack does not say who is asking. @throws what a store that is away does */
async function patientReply(deps: Deps, payload: Heard): Promise<Reply | undefined> {
  try {
    return (await replyTo(untilSlackSays(deps), payload)) ?? {}
  } catch (error) {
    if (error instanceof SlackIsSlow) return undefined
    if (deps.isStoreAway(error)) throw error
    if (error instanceof PayloadForgotten) return {}
    return { ack: failureMessage(deps, payload.entry, error) }
  }
}

/** With all the time that Slack takes. What it does not say even then, it may say later. */
function untilSlackSays(deps: Deps): Deps {
  const { agent } = patiently(deps)
  const whoWeAre = () => agent.whoWeAre().catch(orLater)
  const gate: typeof agent.gate = async (who) => {
    const entry = await agent.gate(who)
    if ("error" in entry && mayComeLater(entry.error)) throw new SlackIsSlow()
    return entry
  }
  return { ...deps, agent: { ...agent, whoWeAre, gate } }
}

function orLater(error: unknown): never {
  throw mayComeLater(error) ? new SlackIsSlow() : error
}

function mayComeLater(error: unknown): boolean {
  return error instanceof SlackError && error.verdict !== "give_up"
}

/** Two events may be about one message; whatever else is delivered again has the same id. */
function idOf(payload: Heard): string {
  if (payload.kind === "message") return `message:${payload.channel}:${payload.ts}`
  if (payload.kind === "form") return `form:${payload.view}`
  return `${payload.kind}:${payload.slack ?? crypto.randomUUID()}`
}
