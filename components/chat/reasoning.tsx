/** What a model thinks before it answers, folded away. Shown while the answer is given, and not kept. */
export function Reasoning({ text }: { text: string }) {
  return (
    <details className="rounded-md border border-line px-3 py-1.5 text-sm text-dim">
      <summary>Thinking</summary>
      <p className="py-1.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}
