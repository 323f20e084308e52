'use client';

import { useConnection } from '@/lib/browser/connection/connection';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { chatWords } from './words';

interface QuestionFieldProps {
  id?: string;
  value: string;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  onFiles?: (files: readonly File[]) => void;
  label: string;
  describedBy?: string;
  placeholder?: string;
  autoFocus?: boolean;
  className?: string;
}

/** Text field that grows with its content, up to a third of the screen. A hidden copy of the text sets the height. */
export function QuestionField({
  id,
  value,
  onChange,
  onKeyDown,
  onFiles,
  label,
  describedBy,
  placeholder,
  autoFocus = false,
  className = '',
}: QuestionFieldProps) {
  const hydrated = useHydrated();
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (onFiles === undefined || files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onFiles(files);
  };
  const shared =
    'col-start-1 row-start-1 max-h-[33dvh] min-h-8 w-full px-1.5 py-1.5 text-base leading-5 whitespace-pre-wrap wrap-anywhere pointer-coarse:min-h-10 pointer-coarse:text-lg';
  return (
    <div className={`grid min-w-0 flex-1 ${className}`}>
      <div aria-hidden className={`${shared} invisible overflow-hidden`}>
        {value}&#8203;
      </div>
      <textarea
        id={id}
        value={value}
        rows={1}
        readOnly={!hydrated}
        autoFocus={autoFocus}
        aria-label={label}
        aria-describedby={describedBy}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className={`${shared} resize-none overflow-auto bg-transparent outline-none placeholder:text-faint`}
      />
    </div>
  );
}

/** Returns the sentence that says why sending is blocked; null while the gateway answers. */
export function useAway(): string | null {
  const { state } = useConnection();
  return state === 'offline' || state === 'unanswered' ? chatWords.away[state] : null;
}
