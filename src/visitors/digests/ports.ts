import type { Rhythm } from "./rhythm.ts"

/** A digest that comes to a channel again and again. */
export interface Subscription {
  team: string
  channel: string
  project: string
  /** Who subscribed. */
  user: string
  /** IANA name of their time zone at that time. */
  zone: string
  rhythm: Rhythm
  /** When the next one is due, ms. */
  dueAt: number
}

export interface ClaimedDigest {
  subscription: Subscription
  lease: string
  /** When it was claimed, ms. */
  at: number
  /** A post of this very digest was begun, and nobody wrote down how it ended. */
  unsure: boolean
  /** Which try of this very digest this is; 1 is the first. */
  tries: number
}

/** Digests, durable. One channel has at most one of each rhythm. */
export interface Subscriptions {
  save(subscription: Subscription): Promise<void>
  /** @returns what was removed */
  remove(team: string, channel: string, every: Rhythm["every"]): Promise<Subscription | undefined>
  ofChannel(team: string, channel: string): Promise<Subscription[]>
  claim(leaseMs: number): Promise<ClaimedDigest | undefined>
  nextDue(): Promise<number | undefined>
  /** Written down before the post. False: somebody unsubscribed, or the lease is lost. */
  posting(claimed: ClaimedDigest): Promise<boolean>
  settle(claimed: ClaimedDigest, outcome: DigestOutcome): Promise<void>
  /** Ends the subscription for good. */
  end(claimed: ClaimedDigest): Promise<void>
}

/** `dueAt`: this one is dealt with. `againMs`: it is tried again then; `unsure`: it may have been posted. */
type DigestOutcome = { dueAt: number } | { againMs: number; unsure: boolean }
