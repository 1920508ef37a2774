import { tellDirectly } from "../asking/tell-requesters.ts"
import { type Change, FOLLOWED_MS } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { type Job, type Pull, threadOf } from "../jobs/job.ts"
import type { Held, JobStore } from "../jobs/job-store.ts"
import { endPost, peopleOf, reviewPost } from "../messages/pull-request-posts.ts"
import type { Message } from "../slack/message-types.ts"
import { claimKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import { dueEnd, endPart, reviewPart, settledReviewPost } from "./choose-action.ts"
import { editing, post, type Step } from "./post-and-edit.ts"

/** Tells of a review that requested changes. */
export const tellReview = announcing(reviewPart, reviewPost, (latest, _, post) =>
  reviewPosted(latest, post),
)

/** Tells how the pull request ended. */
export const tellEnd = announcing(endPart, endPost, (latest, told) =>
  endPosted(latest, dueEnd(told)),
)

/** Takes the button from a post about a review that was addressed or is over. */
export const settleReviewPost = editing((job, _drawn, gitHubHost) => {
  const said = settledReviewPost(job)
  if (!said) return { shown: {} }
  const message = reviewPost({ job, users: said.users, gitHubHost }, said)
  return { ts: said.ts, message, shown: reviewPostSettled(job, said.ts) }
})

/**
 * Makes a step that tells everybody who asked in a pull request what happened to it: in the thread
 * or, if Slack refuses that, in direct messages. Of several jobs of a thread that led to the same
 * pull request, only one does.
 * @param posted change to store; `post` is absent if nobody was told in the thread
 */
function announcing(
  part: (job: Job) => string,
  message: (facts: { job: Job; users: readonly string[]; gitHubHost: string }) => Message,
  posted: (latest: Job, told: Job, post?: { ts: string; users: string[] }) => Change,
): Step {
  const countAsPosted = async ({ jobs }: Context, { job: told }: Held) => {
    await jobs.change(told.id, ({ job }) => posted(job, told))
    return 0
  }
  async function draftOf({ jobs, settings }: Context, job: Job) {
    const users = peopleOf(...(await withSamePull(jobs, job)))
    return { users, draft: message({ job, users, gitHubHost: settings.gitHubHost }) }
  }
  return {
    limit: "post",
    people: peopleOf,
    async take(context, held) {
      const { job } = held
      if (!(await isTeller(context, job, part(job)))) return countAsPosted(context, held)
      const { users, draft } = await draftOf(context, job)
      return post(context, held, {
        part: part(job),
        message: draft,
        posted: (latest, { ts }) => posted(latest, job, { ts, users }),
      })
    },
    skip: countAsPosted,
    async onRefusal(context, held) {
      const { job } = held
      const { users, draft } = await draftOf(context, job)
      const againMs = await tellDirectly(context, held, part(job), draft, users)
      return againMs ?? countAsPosted(context, held)
    },
  }
}

/** Returns the jobs of a thread that led to the same pull request as this one, oldest first. */
async function withSamePull({ inThread }: Pick<JobStore, "inThread">, job: Job): Promise<Job[]> {
  const found = await inThread(job.channel, threadOf(job) ?? "")
  const others = found.flatMap(({ job: other }) =>
    other.id !== job.id && other.prLink === job.prLink ? other : [],
  )
  return [job, ...others].toSorted((a, b) => a.at - b.at)
}

/** Returns whether this one of the thread's jobs with the pull request tells people of the news. */
function isTeller({ store }: Context, job: Job, part: string): Promise<boolean> {
  const news = key("told", job.channel, threadOf(job) ?? "", job.prLink ?? "", part)
  return claimKey(store, news, FOLLOWED_MS, job.id)
}

/** Maximum number of posts about reviews whose button is still to be taken away. */
const MAX_POSTS = 10

/**
 * Records that the review was posted, unless somebody has addressed it in the meantime.
 * @param post its timestamp and whom it mentions; absent if nobody was told in the thread
 */
function reviewPosted(
  { pull }: Job,
  post?: Pick<NonNullable<Pull["reviewPosts"]>[number], "ts" | "users">,
): Change {
  const { review } = pull ?? {}
  if (!pull || review?.state !== "due") return {}
  const { by, words, reviewPosts = [] } = pull
  const posts = post ? [...reviewPosts, { ...post, by, words }] : reviewPosts
  const next: Pull = {
    ...pull,
    review: { ...review, state: "posted" },
    reviewPosts: posts.slice(-MAX_POSTS),
  }
  return { set: { pull: next }, due: { outbox: 0 } }
}

/** Records that a post about a review has no button any more. */
function reviewPostSettled({ pull }: Job, ts: string): Change {
  const reviewPosts = pull?.reviewPosts?.filter((post) => post.ts !== ts)
  return { set: { pull: pull && { ...pull, reviewPosts } } }
}

/** Records that people were told how the pull request ended. */
function endPosted({ pull }: Job, end: Pull["endTold"]): Change {
  return { set: { pull: pull && { ...pull, endTold: end } } }
}
