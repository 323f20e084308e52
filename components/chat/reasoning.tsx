/** What a model thinks before it answers, folded away. Shown while the answer is given, and not kept. */
import { chatWords as words } from '@/lib/browser/words/chat';
export function Reasoning({ text }: { text: string }) {
  return (
    <details className="rounded-md border border-line px-3 py-1.5 text-sm text-dim">
      <summary>{words.answer.thinking}</summary>
      <p className="py-1.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}
