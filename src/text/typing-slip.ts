/** One letter too many, missing or wrong, or two neighbours swapped: `cancle` for `cancel`. Pure. */
export function isTypingSlip(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length)
  let start = 0
  while (start < shorter && typed[start] === meant[start]) start++
  let end = 0
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end++
  const [was, be] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  if (was.length <= 1 && be.length <= 1) return was !== be
  return be.length === 2 && was === `${be[1]}${be[0]}`
}
