'use client';

import { Component, lazy, type ReactNode, Suspense } from 'react';

const Markdown = lazy(() => import('./markdown'));

/** Renders a model's Markdown. Shows plain text until the renderer has loaded, or if rendering fails. */
export function MarkdownText({ text }: { text: string }) {
  const plain = <p className="leading-6 whitespace-pre-wrap wrap-anywhere">{text}</p>;
  return (
    <PlainOnError plain={plain}>
      <Suspense fallback={plain}>
        <Markdown text={text} />
      </Suspense>
    </PlainOnError>
  );
}

class PlainOnError extends Component<{ plain: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.plain : this.props.children;
  }
}
