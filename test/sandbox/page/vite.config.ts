import { defineConfig } from "vite"

export default defineConfig({
  root: new URL(".", import.meta.url).pathname,
  build: {
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    sourcemap: false,
  },
})
