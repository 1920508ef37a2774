export function Trouble({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <span class="trouble" role="alert">
      {text}
    </span>
  )
}
