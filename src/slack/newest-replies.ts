/** A message of a thread, as far as the search reads it. */
interface Stamped {
  ts: string
}

/** One answer of conversations.replies. */
interface RepliesPage<Message extends Stamped> {
  /** The thread's root first, then replies, earliest first. */
  messages: readonly Message[]
  hasMore: boolean
  /** Of the root, where Slack says it. */
  replyCount: number | undefined
}

/** After `oldest`, before `latest`. */
export type ReadReplies<Message extends Stamped> = (range: {
  oldest: string | undefined
  latest: string
}) => Promise<RepliesPage<Message>>

interface NewestReplies<Message> {
  /** Oldest first, without a hole among them. */
  messages: readonly Message[]
  /** Are these all that there are? */
  isWhole: boolean
}

/** However long a thread is; conversations.replies may be asked 50 times a minute. */
const MOST_READS = 6
/**
 * Each guess aims to fill so much of a page: nearer to a full one, half of the guesses would miss
 * the end.
 */
const AIM = 0.4
/** Where so much of the aim is reached, another read is not worth it. */
const ENOUGH = 0.25

/**
 * The newest messages of a thread. Slack answers with the earliest ones first and has no other order,
 * so the end of a long thread is searched for: a range that is answered whole reaches to the end, one
 * that is not tells how dense the talk is, and with that where to look next.
 */
export async function newestReplies<Message extends Stamped>(
  read: ReadReplies<Message>,
  { from, until }: { from?: string | undefined; until: string },
): Promise<NewestReplies<Message>> {
  const first = await read({ oldest: from, latest: until })
  if (!first.hasMore) return { messages: first.messages, isWhole: true }
  const aim = Math.max(1, first.messages.length * AIM)
  let ahead = aheadOf(first, (first.replyCount ?? 0) - first.messages.length, aim)
  let end: readonly Message[] = []
  let endsAt = Number(until)
  for (let reads = 1; reads < MOST_READS && end.length < aim * ENOUGH; reads += 1) {
    const isLast = reads === MOST_READS - 1 && end.length === 0
    const oldest = isLast ? ahead.at : guess(ahead, aim, endsAt, Number(until))
    const { messages, hasMore, replyCount } = await read({ oldest: stamp(oldest), latest: until })
    const replies = messages.filter(({ ts }) => Number(ts) > oldest)
    if (hasMore && replies.length > 0) {
      const passed = ahead.left - (oldest - ahead.at) * ahead.rate - replies.length
      ahead = aheadOf({ messages: replies, hasMore, replyCount }, passed, aim)
    } else {
      end = replies
      endsAt = oldest
    }
  }
  return { messages: end.length > 0 ? end : ahead.page, isWhole: false }
}

/** What is known of the talk after the latest page that did not reach the end. */
interface Ahead<Message> {
  page: readonly Message[]
  /** Time of its last message, s. */
  at: number
  /** Messages a second, at the end of this page. */
  rate: number
  /** Messages after it, as far as can be told. */
  left: number
}

function aheadOf<Message extends Stamped>(
  { messages }: RepliesPage<Message>,
  left: number,
  aim: number,
): Ahead<Message> {
  // A page may span months of silence: how people talk at its end says most about what follows.
  const last = messages.slice(-Math.max(2, Math.ceil(messages.length / 5)))
  const at = Number(last.at(-1)?.ts ?? 0)
  const rate = (last.length - 1) / Math.max(at - Number(last[0]?.ts ?? 0), 0.001)
  return { page: messages, at, rate, left: Math.max(left, 2 * aim) }
}

/** From where on there may be as many messages as are aimed at, s. */
function guess(ahead: Ahead<unknown>, aim: number, endsAt: number, until: number): number {
  // If people go on as on the last page; if they talk evenly to the end; where neither was right
  // before, nearer to what is known.
  const sameRate = ahead.at + (ahead.left - aim) / ahead.rate
  const evenly = endsAt - (endsAt - ahead.at) * (aim / ahead.left)
  const nearer = endsAt < until ? ahead.at + (endsAt - ahead.at) / 4 : Infinity
  return Math.max(ahead.at, Math.min(sameRate, evenly, nearer))
}

/** Seconds in the form of Slack's timestamps. */
function stamp(seconds: number): string {
  return seconds.toFixed(6)
}
