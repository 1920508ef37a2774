export function ServicePanel() {
  return <div class="service" />
}
