import { render } from "preact"
import { App } from "./shell/app.tsx"
import { keptTheme } from "./shell/theme-switch.tsx"

document.documentElement.dataset.theme = keptTheme()
const place = document.getElementById("page")
if (place) render(<App />, place)
