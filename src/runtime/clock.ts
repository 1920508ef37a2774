/**
 * What time it is, ms: Redis' clock, which all processes share. Whatever decides what is due, late,
 * old or full asks it; a process' own `Date.now()` decides nothing, as no two machines agree on it.
 * For time that passes within a process there is `performance.now()`. May fail while Redis is away.
 */
export type Clock = () => Promise<number>
