/** How a count moved against the period before. `percent` is rounded to a whole number. */
export type Change =
  | { kind: "same" }
  | { kind: "from_nothing" }
  | { kind: "moved"; percent: number; direction: "up" | "down" }

export function change(now: number, before: number): Change {
  if (now === before) return { kind: "same" }
  if (before === 0) return { kind: "from_nothing" }
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return { kind: "moved", percent, direction: now > before ? "up" : "down" }
}

/**
 * How large a part of all visitors is. `unclear` when nobody came, or when the service counts more
 * in the part than in the whole. A whole percent; `small` means more than none and under half of one.
 */
export type Share = { kind: "unclear" } | { kind: "small" } | { kind: "percent"; percent: number }

export function share(part: number, whole: number): Share {
  if (whole <= 0 || part > whole) return { kind: "unclear" }
  const percent = Math.round((part / whole) * 100)
  return percent === 0 && part > 0 ? { kind: "small" } : { kind: "percent", percent }
}
