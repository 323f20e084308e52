/** SQL file as text, as esbuild, Next and vitest are configured to load it. */
declare module '*.sql' {
  const text: string;
  export default text;
}
