import Bottleneck from "bottleneck"
import type { DocsApi } from "../ports/docs-api.ts"
import type { OpenGapRequests } from "../visitors/gaps/ports.ts"
import type { AnalyticsHour, Reader, Slot } from "../visitors/reading-ports.ts"
import { hourIsUsed, MAX_CONCURRENT, settleFailure } from "./limited-analytics.ts"

type Docs = Pick<DocsApi, "visitors" | "assistant" | "searches" | "thumbs">

/**
 * A look at the gaps within the rolling hour. All its slots are taken before the first request, as
 * half an answer would cost the hour and help nobody; Bottleneck runs the requests.
 * @param timeoutMs the longest time a request may be on its way
 */
export function limitGaps(
  docs: Docs,
  hour: AnalyticsHour,
  { timeoutMs }: { timeoutMs: number },
): OpenGapRequests {
  return async (reader, project, count) => {
    // The last of them may leave when all others have taken their longest.
    const slots = await takeAll(hour, project, reader, count, timeoutMs * count)
    const limiter = new Bottleneck({ maxConcurrent: MAX_CONCURRENT })

    async function read<T>(call: () => Promise<T>): Promise<T> {
      const slot = slots.pop()
      if (!slot) throw hourIsUsed({ waitMs: 0, ownShare: false })
      try {
        const answer = await limiter.schedule(call)
        await hour.settle(project, slot)
        return answer
      } catch (error) {
        await settleFailure(hour, project, slot, error)
        throw error
      }
    }

    return {
      visitors: (query) => read(() => docs.visitors(project, query)),
      assistant: (query) => read(() => docs.assistant(project, query)),
      searches: (query) => read(() => docs.searches(project, query)),
      thumbs: (query) => read(() => docs.thumbs(project, query)),
      left: () => slots.length,
      close: () => giveBack(hour, project, slots.splice(0)),
    }
  }
}

async function takeAll(
  hour: AnalyticsHour,
  project: string,
  reader: Reader,
  count: number,
  holdMs: number,
): Promise<Slot[]> {
  const slots: Slot[] = []
  while (slots.length < count) {
    const taken = await hour.take(project, reader, holdMs)
    if ("waitMs" in taken) {
      await giveBack(hour, project, slots)
      throw hourIsUsed(taken)
    }
    slots.push(taken.slot)
  }
  return slots
}

async function giveBack(hour: AnalyticsHour, project: string, slots: Slot[]): Promise<void> {
  for (const slot of slots) await hour.giveBack(project, slot)
}
