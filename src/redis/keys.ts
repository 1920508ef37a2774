import { isMessages, messagesOf } from "../jobs/queues.ts"

/**
 * Every key carries one hash tag: the scripts touch several keys at once, and Redis Cluster runs a
 * script only when all its keys live in one slot.
 */
const TAG = "{da}"

/** On this channel workers hear what has become due; see `schedules/wake-ups.ts`. */
export const WAKE_CHANNEL = `${TAG}:wake`

/** Behind a project's name, the name of its queue of messages; for scripts, which know the record alone. */
export const MESSAGES = messagesOf("")

export const keys = {
  job: (id: string) => `${TAG}:job:${id}`,
  prompt: (id: string) => `${TAG}:prompt:${id}`,
  /** response_url of the command that asked, for as long as Slack honours it. */
  reply: (id: string) => `${TAG}:reply:${id}`,
  /** One Slack delivery: trigger_id, event_id, or channel and ts. */
  seen: (delivery: string) => `${TAG}:seen:${delivery}`,
  /** A payload that was acknowledged before it could be acted upon; empty once it was. */
  deferredPayload: (id: string) => `${TAG}:delivery:${id}`,
  /** Such payloads; score = when to act, or until when leased, ms. */
  deferred: `${TAG}:deferred`,
  /** One person's normalised prompt. */
  same: (fingerprint: string) => `${TAG}:same:${fingerprint}`,
  /** A person's jobs, newest last; score = when asked, ms. */
  user: (user: string) => `${TAG}:user:${user}`,
  /** The latest job of a thread. */
  thread: (channel: string, root: string) => `${TAG}:thread:${channel}:${root}`,
  /** A request that its person still has to confirm. */
  draft: (id: string) => `${TAG}:draft:${id}`,
  /** Keys of what is kept for a while and is one person's alone; score = when it is gone, ms. */
  own: (user: string) => `${TAG}:own:${user}`,
  /** The question whether to forget this person, until it is answered. */
  forgetting: (user: string) => `${TAG}:forgetting:${user}`,
  /** The draft that already asks about the same words in the same place. */
  draftOf: (fingerprint: string) => `${TAG}:draft-of:${fingerprint}`,
  /** Whether Redis had room for more a moment ago. */
  room: `${TAG}:room`,
  /** The project that an admin chose for a channel. */
  use: (channel: string) => `${TAG}:use:${channel}`,
  quiet: (channel: string, root: string) => `${TAG}:quiet:${channel}:${root}`,
  /** Jobs without a card yet, over all projects; score = fair tag. */
  carding: `${TAG}:carding`,
  /** Jobs with something to say in Slack; score = when, or until when leased, ms. */
  outbox: `${TAG}:outbox`,
  /** Those of them that a person has just done something about; score = when, ms. They go first. */
  answers: `${TAG}:answers`,
  /** Active jobs; score = next poll, or until when leased, ms. */
  due: `${TAG}:due`,
  /** Projects with something waiting or being created; a worker looks at no others. */
  busy: `${TAG}:busy`,
  /** The same of queues of messages. Apart: the version before would create jobs for them. */
  busyMessages: `${TAG}:busy-messages`,
  /** Under which name each project is stored, by what tells it from another. */
  projects: `${TAG}:projects`,
  /** Stored projects; score = when a living process last had it configured, ms. */
  configured: `${TAG}:configured`,
  /** From when on creations may be granted, and by which run of the server; see the reserve script. */
  epoch: `${TAG}:epoch`,
  /** What the last reserve call with this token was granted. */
  grant: (token: string) => `${TAG}:grant:${token}`,
  /** Slack's limits, one key for each thing that Slack limits. */
  rateLimit: (subject: string) => `${TAG}:turn:${subject}`,
  /** Questions to Slack about names within a minute; score = when, ms. */
  nameLookUps: `${TAG}:name-lookups`,
  /** Who holds a task that one process does at a time. */
  holder: (task: string) => `${TAG}:holder:${task}`,
  /** When a request last came in that Slack had signed, or had not, ms. */
  lastSeen: (signed: boolean) => `${TAG}:heard:${signed ? "signed" : "unsigned"}`,
  /** Written to see whether Redis takes writes. */
  ready: `${TAG}:ready`,
  /** Who asked for what, and what came of it: a stream. */
  audit: `${TAG}:audit`,
  profile: (user: string) => `${TAG}:profile:${user}`,
  /** A pull request that is followed. */
  pull: (id: string) => `${TAG}:pull:${id}`,
  /** The jobs that it came of. */
  pullJobs: (id: string) => `${TAG}:pull-jobs:${id}`,
  /** Followed pull requests; score = next poll, or until when leased, ms. */
  pulls: `${TAG}:pulls`,
  /** Jobs with a preview that is asked for or built; score = next step, or until when leased, ms. */
  previews: `${TAG}:previews`,
  /** A thread whose jobs Slack shows as a session of an agent, by its channel and root. */
  session: (thread: string) => `${TAG}:session:${thread}`,
  /** Such threads; score = when to look whether Slack shows what is true, or until when leased, ms. */
  sessions: `${TAG}:sessions`,
  /** Does Slack offer what it has for agents? As far as it was found out; see `sessions/store.lua.ts`. */
  surface: `${TAG}:surface`,
  /** Held by who finds it out. */
  surfaceTry: `${TAG}:surface-try`,
  /** People who were greeted where they write to the agent. */
  greeted: `${TAG}:greeted`,
  /** Previews asked for in the last minute, by what tells the service's key from another. */
  previewMinute: (key: string) => `${TAG}:preview-minute:${key}`,
  /** What the bot asks of GitHub, by what tells its token from another. */
  gitHub: (token: string) => ({
    /** Requests of the rolling hour. */
    log: `${TAG}:github:${token}:log`,
    /** What the token may ask in an hour, as GitHub said. */
    limit: `${TAG}:github:${token}:limit`,
    /** While it is there, nothing is asked. */
    pause: `${TAG}:github:${token}:pause`,
  }),
  /** Whether a deployment has an operation that not all have, as far as it was found out. */
  operation: (project: string, operation: string) => `${TAG}:operation:${project}:${operation}`,
  /** By the name of a queue: see `jobs/queues.ts`. */
  project: (name: string) => ({
    /** Waiting jobs; score = fair tag. */
    wait: `${TAG}:p:${name}:wait`,
    /** Fair tag last given to each person; field "" is the tag last started. */
    last: `${TAG}:p:${name}:last`,
    /** Creations of the rolling hour; member = `job user`, score = latest moment it can have arrived. */
    log: `${TAG}:p:${name}:log`,
    /** Creations in flight; score = deadline, ms. */
    creating: `${TAG}:p:${name}:creating`,
    /** Why and until when nothing is started; see `Pause`. */
    pause: `${TAG}:p:${name}:pause`,
    /** The key that the service refused a moment ago, as a fingerprint. */
    refused: `${TAG}:p:${name}:refused`,
    /** Whether any job was ever found where the bot looks for them. */
    jobPath: `${TAG}:p:${name}:job-path`,
  }),
  /**
   * The waiting jobs of one person in one project; score = fair tag. Not a plain set, which Redis 6
   * and 7.0 keep in four times the memory.
   */
  waiting: (project: string, user: string) => `${TAG}:p:${project}:queued:${user}`,
}

/**
 * Never written; every script names it in a cluster. While the keys move from one node to another,
 * Redis then refuses a script with this and any other key until all have moved ("TRYAGAIN": commands
 * of several keys, all of which must be on one node). It would otherwise run where some are, and take the
 * others for gone: a running job would never be looked at again.
 */
export const NEVER_WRITTEN = `${TAG}:never-written`

/** Prefix of job keys, for scripts that find job ids inside sorted sets. */
export const JOB_PREFIX = keys.job("")

/** What all projects share, by the names that scripts give it. */
const SHARED = {
  carding: keys.carding,
  outbox: keys.outbox,
  answers: keys.answers,
  due: keys.due,
  busy: keys.busy,
  epoch: keys.epoch,
  configured: keys.configured,
  previews: keys.previews,
  sessions: keys.sessions,
  surface: keys.surface,
}

/** What scripts touch about one job, by the names that they give it. */
export function jobKeys(id: string) {
  return { ...SHARED, job: keys.job(id), prompt: keys.prompt(id), reply: keys.reply(id) }
}

/** The same about a person's requests in one queue. */
export function queueKeys(queue: string, user: string) {
  const waiting = keys.waiting(queue, user)
  return { ...SHARED, ...keys.project(queue), waiting, busy: busyKey(queue) }
}

/** Of the queues that a worker looks at, those of this one's kind. */
export function busyKey(queue: string): string {
  return isMessages(queue) ? keys.busyMessages : keys.busy
}

const DAY_MS = 86_400_000
/** Slack's delayed events come up to 24 h late, so a delivery is remembered for longer than that. */
export const SEEN_MS = 25 * 3_600_000
/** Ended jobs and their prompts stay this long, for "Try again", follow-ups and `status`. */
export const KEEP_MS = 7 * DAY_MS
/** Words of requests that were taken back, which "Try again" needs. */
export const CANCELLED_MS = 3_600_000
/** A follow-up finds its thread this long. */
export const THREAD_MS = 30 * DAY_MS
