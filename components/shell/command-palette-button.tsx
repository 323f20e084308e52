'use client';

import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { shellWords } from '@/lib/browser/words/shell';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

const CommandPalette = onDemand(() => import('./command-palette').then((module) => module.CommandPalette), {
  floats: true,
});

/** Opens the command palette, also with Ctrl K or Cmd K. The palette loads on first use. */
export function CommandPaletteButton() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      event.stopPropagation();
      setOpen((wasOpen) => !wasOpen);
    };
    // Listens in the capture phase, because the editor has its own Ctrl K.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return (
    <>
      <Button
        tone="quiet"
        onPointerEnter={CommandPalette.preload}
        onFocus={CommandPalette.preload}
        onClick={() => setOpen(true)}
        aria-label={shellWords.search.does}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Search aria-hidden />
        <span className="hidden sm:inline">{shellWords.search.button}</span>
        <Kbd className="hidden md:inline-flex">{shellWords.search.keys}</Kbd>
      </Button>
      {open && <CommandPalette open={open} onOpenChange={setOpen} />}
    </>
  );
}
