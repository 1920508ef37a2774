import { randomUUID } from "node:crypto"
import { defined } from "../../runtime/defined.ts"
import type { Clock } from "../../runtime/time.ts"
import type { Caller } from "../../slack/payloads.ts"
import { once } from "../../store/limits.ts"
import type { Store } from "../../store/script.ts"
import type { Questions } from "../../visitors/questions.ts"
import { REPEATED_WITHIN_MS, type Reply } from "../answer.ts"

/** Makes a question durable before it is acknowledged: a worker answers it, once however often Slack sends it. */
export async function inquire(
  { store, questions, now }: { store: Store; questions: Questions; now: Clock },
  caller: Caller,
  wanted: Parameters<Questions["add"]>[1],
): Promise<Reply> {
  const { entry, user, team, channel, thread, replyUrl, isOwnDirect } = caller
  const { triggerId = randomUUID() } = caller
  if (!(await once(store, triggerId, REPEATED_WITHIN_MS))) return {}
  const asker = { entry, user, ...defined({ team, channel, thread, replyUrl, isOwnDirect }) }
  await questions.add(asker, wanted, triggerId, await now())
  return {}
}
