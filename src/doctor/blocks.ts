import { WebAPIPlatformError, type WebClient } from "@slack/web-api"
import type { Sample } from "../ports/message.ts"
import { codeOf } from "../slack/verdict.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

/** What Slack said of one of each kind of message. */
export interface BlocksFacts {
  accepted: number
  refused: readonly Refused[]
  /** Why it did not look at the rest. */
  code?: string
}

interface Refused {
  kind: string
  hasFallback: boolean
  /** What is wrong where, as `pointer code`. */
  errors: readonly string[]
}

/** Special limits apply to the method, and Slack gives no figure. */
const AT_ONCE = 4
/** Of one message; the first tells most. */
const ERRORS_SHOWN = 3

/**
 * Lets Slack look at one of each kind, without posting anything (blocks.validate). It stops where Slack
 * does not answer: the others would fare no better. Never throws.
 */
export async function readBlocks(
  client: WebClient,
  samples: readonly Sample[],
): Promise<BlocksFacts> {
  const refused: Refused[] = []
  let accepted = 0
  for (let from = 0; from < samples.length; from += AT_ONCE) {
    const chunk = samples.slice(from, from + AT_ONCE)
    const answers = await Promise.all(chunk.map((sample) => validate(client, sample)))
    accepted += answers.filter((answer) => answer === "accepted").length
    refused.push(...answers.filter((answer) => typeof answer === "object" && "kind" in answer))
    const away = answers.find((answer) => typeof answer === "object" && "code" in answer)
    if (away) return { accepted, refused, code: away.code }
  }
  return { accepted, refused }
}

async function validate(
  client: WebClient,
  sample: Sample,
): Promise<"accepted" | Refused | { code: string }> {
  const { kind, hasFallback = false } = sample
  try {
    await client.blocks.validate(
      "view" in sample ? { view: sample.view } : { message: { blocks: sample.message.blocks } },
    )
    return "accepted"
  } catch (cause) {
    const errors = cause instanceof WebAPIPlatformError ? errorsIn(cause.data) : []
    return errors.length > 0 ? { kind, hasFallback, errors } : codeOf(cause)
  }
}

/** "When validation fails, the response includes an errors array." */
function errorsIn(answer: { error: string; errors?: unknown }): string[] {
  if (!/^invalid_(blocks|message|view)$/.test(answer.error)) return []
  const errors = Array.isArray(answer.errors) ? answer.errors : []
  const told = errors.slice(0, ERRORS_SHOWN).map((one) => `${one?.pointer} ${one?.code}`)
  return told.length > 0 ? told : [answer.error]
}

/** Does Slack take what we send? */
export function judgeBlocks({ accepted, refused, code }: BlocksFacts): Finding {
  const asked = accepted + refused.length
  if (code === "unknown_method")
    return ok("slack blocks", "Slack can't check messages in advance here (no blocks.validate)")
  if (asked === 0) return unasked(code)
  const says = [
    `Slack accepts ${accepted} of ${asked} kinds of message`,
    ...refused.map(({ kind, errors }) => `${kind}: ${errors.join(", ")}`),
    ...(code ? [`it didn't check the others (${code})`] : []),
  ].join("; ")
  if (refused.some(({ hasFallback }) => !hasFallback))
    return fault(
      "slack blocks",
      says,
      "Slack doesn't show messages that it rejects. Update the bot; if this is the latest version, report this line.",
    )
  if (refused.length > 0)
    return warning(
      "slack blocks",
      says,
      "Reports fall back to tables or text here until the workspace gets these blocks.",
    )
  return ok("slack blocks", says)
}

function unasked(code: string | undefined): Finding {
  return warning(
    "slack blocks",
    `Slack didn't check any messages${code ? ` (${code})` : ""}`,
    "Run the doctor again later.",
  )
}
