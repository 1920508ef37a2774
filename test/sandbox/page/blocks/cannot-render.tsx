/** Names a block that this page can't render, so that nobody takes the message for empty. */
export function CannotRender({ what }: { what: string }) {
  return (
    <p class="cannot-render">
      Can't render <code>{what || "a block without a type"}</code>
    </p>
  )
}
