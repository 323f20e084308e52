import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clearJournal, readJournal, writeJournal } from './chat-database';
import { newConversation, withQuestion } from './conversation';

const { conversation, turnId } = withQuestion(
  newConversation({ modelId: 'guide', systemPrompt: '', schemaText: '' }, 1),
  'Why?',
  2,
);

/** Returns a storage. Its `Object.keys` are only its entries. */
function storageOf(entries: Record<string, string>): object {
  const hidden = (value: unknown) => ({ value, enumerable: false });
  return Object.defineProperties(entries, {
    getItem: hidden((key: string) => entries[key] ?? null),
    setItem: hidden((key: string, value: string) => void (entries[key] = value)),
    removeItem: hidden((key: string) => void delete entries[key]),
  });
}

let entries: Record<string, string>;
beforeEach(() => {
  entries = {};
  vi.stubGlobal('localStorage', storageOf(entries));
});
afterEach(() => vi.unstubAllGlobals());

describe('the journal of conversations', () => {
  it('has what was written, until the database has it', () => {
    expect(writeJournal({ conversation, runningTurnId: turnId })).toBe(true);
    expect(readJournal()).toEqual([{ conversation, runningTurnId: turnId }]);
    clearJournal(conversation.id);
    expect(readJournal()).toEqual([]);
  });

  it('leaves what is no whole conversation, and what is not its own, where it is', () => {
    entries['turnpike.chat-journal.x'] = '{"conversation":{"id":"x"}}';
    entries['turnpike.chat-journal.y'] = '{';
    entries['turnpike.theme'] = '"dark"';
    writeJournal({ conversation, runningTurnId: null });
    expect(readJournal().map((entry) => entry.conversation.id)).toEqual([conversation.id]);
    expect(Object.keys(entries)).toHaveLength(4);
  });

  it('says where it has no room, and is empty where storage is blocked', () => {
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    expect(writeJournal({ conversation, runningTurnId: null })).toBe(false);
    vi.stubGlobal('localStorage', undefined);
    expect(readJournal()).toEqual([]);
    clearJournal('x');
  });
});

describe('the archive of conversations', () => {
  it('goes on saying that a newer console has its database, although the journal has every change', async () => {
    vi.resetModules();
    onTestFinished(() => {
      vi.doUnmock('@/lib/browser/storage/stored-value');
      vi.resetModules();
    });
    const troubles: (string | null)[] = [];
    vi.doMock('@/lib/browser/storage/stored-value', async (original) => ({
      ...(await original<object>()),
      noteStorage: (_what: string, trouble: string | null) => troubles.push(trouble),
    }));
    vi.stubGlobal('BroadcastChannel', class {});
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('', 'VersionError');
      },
    });
    const { archiveNow, keep, subscribeToArchive } = await import('./conversation-archive');
    subscribeToArchive(() => undefined);
    await vi.waitFor(() => expect(archiveNow().isLoaded).toBe(true));
    keep(conversation, true);
    await vi.waitFor(() => expect(troubles.length).toBeGreaterThanOrEqual(2));
    expect(new Set(troubles)).toEqual(new Set(['newer']));
  });
});
