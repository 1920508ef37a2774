/** Says loudly what this page does not know, so that nobody takes its silence for an empty message. */
export function CannotRender({ what }: { what: string }) {
  return (
    <p class="cannot-render">
      cannot render <code>{what || "a block without a type"}</code>
    </p>
  )
}
