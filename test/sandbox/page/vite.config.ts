import { defineConfig } from "vite"

/** The workspace page: one document with its script and style, nothing from anywhere else. */
export default defineConfig({
  root: new URL(".", import.meta.url).pathname,
  build: {
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    sourcemap: false,
  },
})
