import { Summary } from '@/components/ui/summary';
import { chatTurnWords as words } from '@/lib/browser/words/chat-turns';

/** Shows a model's reasoning, folded, while the model writes the answer. The reasoning is not stored. */
export function Reasoning({ text }: { text: string }) {
  return (
    <details className="group rounded-md border border-line px-3 py-1.5 text-sm text-dim">
      <Summary chevronClassName="size-3.5" className="min-h-6 gap-1.5 hover:text-ink">
        {words.answer.thinking}
      </Summary>
      <p className="py-1.5 whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}
