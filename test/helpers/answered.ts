import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import { ADA } from "../sandbox/slack/index.ts"
import { READY, useTestBed } from "./test-bed.ts"

/** Returns what `useTestBed` does, and `answered` for a thread that is ready for follow-ups. */
export function useAnswered() {
  const beds = useTestBed()

  /** Makes a request in a thread, and waits until its requester hears about the pull request. */
  async function answered(
    more: Parameters<typeof beds.testBed>[0] = {},
    plan: Pick<JobPlan, "followUp"> = {},
  ) {
    const h = await beds.testBed({ ...more, plan: { ...READY, ...plan } })
    const { root, says, ...thread } = await h.startThread()
    await says(/request is ready/)
    const [creation] = h.docs.creations
    const job = h.docs.job(creation?.jobId ?? "")
    if (!job) throw new Error("The first request made no job")
    const say = (words: string, user = ADA) => thread.say(words, user)
    return { h, root, job, say, link: job.prLink ?? "?" }
  }
  return { ...beds, answered }
}
