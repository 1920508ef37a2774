/** Slack's little warning beside an element that the bot did not answer. */
export function Trouble({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <span class="trouble" role="alert">
      {text}
    </span>
  )
}
