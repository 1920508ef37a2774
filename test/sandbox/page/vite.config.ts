import { defineConfig, type Plugin } from "vite"

/** The workspace page: one document with its script and style, nothing from anywhere else. */
export default defineConfig({
  root: new URL(".", import.meta.url).pathname,
  plugins: [paintOnce()],
  build: {
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    sourcemap: false,
  },
})

/**
 * Without its script the document is empty: the browser need not lay out and paint that first. Vite
 * writes the script's element itself and knows no such attribute.
 */
function paintOnce(): Plugin {
  return {
    name: "paint-once",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  }
}
