const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_DIGITS = 10
const ALL_DIGITS = 26

/** A ULID of that time, with a number where others have chance: the same for the same two. */
export function ulidOf(ms: number, n: number): string {
  return digitsOf(ms, TIME_DIGITS) + digitsOf(n, ALL_DIGITS - TIME_DIGITS)
}

/** The two numbers of a ULID made here; undefined for other text. */
export function readUlid(text: string): { ms: number; n: number } | undefined {
  if (text.length !== ALL_DIGITS) return undefined
  const [ms, n] = [numberOf(text.slice(0, TIME_DIGITS)), numberOf(text.slice(TIME_DIGITS))]
  return Number.isSafeInteger(ms) && Number.isSafeInteger(n) ? { ms, n } : undefined
}

function digitsOf(value: number, length: number): string {
  const digits: string[] = []
  for (let rest = value; digits.length < length; rest = Math.floor(rest / 32)) {
    digits.unshift(DIGITS[rest % 32] ?? "0")
  }
  return digits.join("")
}

function numberOf(digits: string): number {
  return Array.from(digits).reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0)
}
