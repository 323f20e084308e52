'use client';

import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';

const CommandPalette = dynamic(() => import('./command-palette').then((module) => module.CommandPalette), { ssr: false });

/** Opens the command palette, as Ctrl K or Cmd K do; it loads when it is first asked for. */
export function CommandPaletteButton() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      setOpen((wasOpen) => !wasOpen);
    };
    // Capture: the editor has a Ctrl K of its own.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)} aria-label="Search pages, networks and methods" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K">
        <Search aria-hidden />
        <span className="hidden sm:inline">Search</span>
        <Kbd className="hidden md:inline-flex">Ctrl K</Kbd>
      </Button>
      {open && <CommandPalette open={open} onOpenChange={setOpen} />}
    </>
  );
}
