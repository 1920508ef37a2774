import { render } from "preact"
import { firstState } from "./model/first-state.ts"
import { App } from "./shell/app.tsx"

const place = document.getElementById("page")
if (place) render(<App first={firstState()} loadRest={loadRest} />, place)

async function loadRest() {
  return (await import("./later/parts.ts")).parts
}
