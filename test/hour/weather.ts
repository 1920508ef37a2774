/** How hard a world is: what goes wrong in it, and how people ask. */
export interface Weather {
  name: string
  ceiling: number
  reserved: number
  processes: number
  /** Longest the service takes to answer, ms. */
  answerMs: number
  /** Chance for each creation that the process is killed around it. */
  kill: number
  /** Chance that the reply of a script is lost and the script sent again. */
  lostReply: number
  /** Chance that the process is held up between the grant and the request. */
  heldUp: number
  /** Chance of an outcome that nobody learns. */
  unknown: number
  /** Chance of each answer that has no effect: 429, 401, refused connection, 400. */
  noEffect: number
  /** Chance that a person cancels what waits. */
  cancel: number
  /** Ms between two times that Redis forgets everything, or its last moments; 0 = never. */
  forgetEveryMs: number
  /** Ms between two changes of the settings, with a restart of each process; absent = never. */
  reconfigureEveryMs?: number
  /** `always`: somebody always waits. `bursts`: bulks after silence. `few`: less than the ceiling.
   * `at once`: all of them, then silence until the last one is served. */
  people: "always" | "bursts" | "few" | "at once"
  /** Are the told places and starts compared with what then happened? */
  judged?: boolean
}

const CALM: Weather = {
  name: "calm",
  ceiling: 99,
  reserved: 0,
  processes: 2,
  answerMs: 3000,
  kill: 0,
  lostReply: 0,
  heldUp: 0,
  unknown: 0,
  noEffect: 0,
  cancel: 0,
  forgetEveryMs: 0,
  people: "always",
}

const HOUR_MS = 3_600_000

/** What the long run goes through, with the share of creations that each gets. */
export const WEATHERS: readonly { share: number; weather: Weather }[] = [
  {
    share: 0.15,
    weather: {
      ...CALM,
      name: "reconfigured",
      processes: 3,
      answerMs: 15_000,
      kill: 0.01,
      lostReply: 0.05,
      heldUp: 0.02,
      unknown: 0.01,
      noEffect: 0.02,
      reconfigureEveryMs: 1.5 * HOUR_MS,
    },
  },
  {
    share: 0.25,
    weather: {
      ...CALM,
      name: "saturated",
      judged: true,
      processes: 4,
      kill: 0.002,
      lostReply: 0.05,
      heldUp: 0.02,
    },
  },
  {
    share: 0.15,
    weather: {
      ...CALM,
      name: "hostile",
      reserved: 5,
      processes: 3,
      answerMs: 15_000,
      kill: 0.03,
      lostReply: 0.1,
      heldUp: 0.1,
      unknown: 0.03,
      noEffect: 0.05,
      cancel: 0.05,
    },
  },
  {
    share: 0.15,
    weather: {
      ...CALM,
      name: "bursts",
      answerMs: 15_000,
      lostReply: 0.05,
      heldUp: 0.05,
      unknown: 0.02,
      noEffect: 0.02,
      cancel: 0.02,
      people: "bursts",
    },
  },
  {
    share: 0.15,
    weather: { ...CALM, name: "forgetful", answerMs: 15_000, forgetEveryMs: 3 * HOUR_MS },
  },
  {
    share: 0.05,
    weather: { ...CALM, name: "one at a time", ceiling: 1, kill: 0.02, unknown: 0.05 },
  },
  { share: 0.05, weather: { ...CALM, name: "few ask", reserved: 5, people: "few", judged: true } },
  {
    share: 0.05,
    weather: { ...CALM, name: "at once", reserved: 5, people: "at once", judged: true },
  },
]
