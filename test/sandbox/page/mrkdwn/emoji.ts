/** Emoji by their Slack names: those the bot writes, and some that people type. */
const EMOJI: Readonly<Record<string, string>> = {
  "+1": "👍",
  eyes: "👀",
  gear: "⚙️",
  heart: "❤️",
  hourglass_flowing_sand: "⏳",
  rocket: "🚀",
  tada: "🎉",
  warning: "⚠️",
  white_check_mark: "✅",
  x: "❌",
  zap: "⚡",
}

export function emojiCharacter(name: string): string | undefined {
  return Object.hasOwn(EMOJI, name) ? EMOJI[name] : undefined
}

export const emojiNames: readonly string[] = Object.keys(EMOJI)
