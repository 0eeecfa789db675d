/** The chat beside files, in one editor for all suites: opening it takes longer than most of their tests. */
import { describe } from 'mocha';
import { useWrittenChat } from '../support/writtenChat.ts';
import { accessibility } from './access.ts';
import { composer } from './composer.ts';
import { offers } from './offers.ts';

describe('In an editor', function () {
  this.timeout(180_000);
  const settings = { 'analyticsChat.mainBranch': 'feature/sales-pipeline-rework-2026' };
  const setup = useWrittenChat({ workspace: 'model', settings });

  describe('Accessibility', () => accessibility(setup));
  describe('Commands', () => offers(setup));
  describe('The composer', () => composer(setup));
});
