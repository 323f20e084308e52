import { questionText } from './attached-files';
import { type Conversation, titleOf } from './conversation';

/** Formats a conversation as Markdown: each question quoted under a heading, each answer as the model wrote it. */
export function conversationMarkdown(conversation: Conversation): string {
  const { systemPrompt, turns } = conversation;
  const parts = [`# ${titleOf(conversation)}`];
  if (systemPrompt.trim() !== '') parts.push('## System', quoted(systemPrompt));
  for (const { question, files, answer, beside } of turns) {
    parts.push('## You', quoted(questionText(question, files)));
    for (const given of [answer, beside?.answer ?? null]) {
      if (given !== null)
        parts.push(`## ${given.modelId}`, given.text.trim() === '' ? '*No answer.*' : given.text.trim());
      if (given?.problem) parts.push(`*${given.problem}*`);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

/** Quotes user text, so that its headings do not mix with the document's. */
function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
