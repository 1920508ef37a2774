import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { type Compared, compared } from "../jobs/prepare-round.ts"
import { allAsks, earlierRounds } from "../jobs/rounds.ts"
import { endingLine, endingWords } from "../messages/ending-words.ts"
import type { Message } from "../slack/message-types.ts"
import { isToCompare } from "./choose-action.ts"

const STALE: Compared = { shows: "unclear" }

/**
 * Compares a job that Redis may have lost the latest of with its card, which the bot edited whenever
 * something was sent or withdrawn: Slack is a memory outside of Redis. What waits goes on if the card
 * has every *Cancel* that it should have, or was never posted, because the bot sends nothing before.
 */
export async function compareCard(
  context: Context,
  { job }: Held,
  card: Message | undefined,
): Promise<Again> {
  const read = job.doubt === "stale" ? STALE : await readCard(context, job, card)
  return settle(context, job, read)
}

/** Counts a card that the bot may not read as one that no longer waits. */
export function giveUpComparing(context: Context, { job }: Held): Promise<Again> {
  return settle(context, job, STALE)
}

async function settle({ jobs }: Context, { id, card }: Job, read: Compared): Promise<Again> {
  // A card that may exist is looked up by its post's next attempt.
  const isUnknown = card === undefined && read.shows !== "waiting"
  const posting = isUnknown ? "card" : read.posting
  await jobs.change(id, ({ job, now }) =>
    isToCompare(job) ? compared(job, { ...read, posting, now }) : undefined,
  )
  return 0
}

async function readCard(
  { slack, settings }: Context,
  job: Job,
  card: Message | undefined,
): Promise<Compared> {
  const { channel, thread } = job
  const where = { channel, thread, since: allAsks(job)[0]?.ts, ts: job.card }
  const found = await slack.outbound.find(where, { job: job.id, part: "card" })
  if (found === "absent") return { shows: job.card === undefined ? "waiting" : "unclear" }
  const shown = new Set(cancelsIn(found.blocks))
  const expected = cancelsIn(card?.blocks)
  const isWaiting = expected.length > 0 && expected.every((cancel) => shown.has(cancel))
  const cancelled = endingLine(endingWords(job, "cancelled", settings.gitHubHost))
  // After a later round is cancelled, the card is as if it had never been asked for.
  const isCancelled = earlierRounds(job).length === 0 && stateIn(found.blocks) === cancelled
  const shows = isWaiting ? "waiting" : isCancelled ? "cancelled" : "unclear"
  return job.card === undefined ? { shows, posting: "card" } : { shows }
}

const stateShape = z.tuple([z.object({ text: z.object({ text: z.string() }) })]).rest(z.unknown())

/** Returns the words of a card's first block. */
function stateIn(blocks: unknown): string | undefined {
  return stateShape.safeParse(blocks).data?.[0].text.text
}

/** Returns the rounds and requests that a card says wait, by their *Cancel* buttons. */
function cancelsIn(blocks: unknown): string[] {
  const cancels = buttonsIn(blocks).filter(({ action_id: action }) => action === "cancel")
  // Requests that joined a round since the backup leave it the same round.
  return cancels.map(({ value }) => value.split(" ").slice(0, 2).join(" "))
}

const buttonShape = z.object({ action_id: z.string(), value: z.string() })
const blocksShape = z.array(
  z.looseObject({ elements: z.array(z.unknown()).optional(), accessory: z.unknown().optional() }),
)

/** Returns the buttons of a message's blocks, as Slack returns them or as the bot sends them. */
function buttonsIn(blocks: unknown): z.output<typeof buttonShape>[] {
  const shown = blocksShape.safeParse(blocks).data ?? []
  const elements = shown.flatMap((block) => [...(block.elements ?? []), block.accessory])
  return elements.flatMap((element) => buttonShape.safeParse(element).data ?? [])
}
