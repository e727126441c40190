/**
 * Reading lists. A body is a dynamic zone, given as a list of blocks:
 *
 *     { intro: text }
 *     { pick: book, note, quotes: [[text, source]] }
 *     { quote: text, by: author }
 *     { chapter: heading, steps: [[label, minutes, book]] }
 *
 * Books and authors are slugs. Minutes are our estimate for an unhurried reader.
 */
export const readingLists = [
  {
    title: 'Around the world in eight books',
    curator: 'The reference desk',
    body: [
      {
        intro:
          'Phileas Fogg saw very little of the world, because he was looking at his watch. This list takes **one book per stop** and advises against hurrying. Start at home and go east.',
      },
      {
        pick: 'around-the-world-in-eighty-days',
        note: 'The route, and the one traveller to learn nothing from it. Read it for the timetable and for Passepartout.',
        quotes: [['L’imprévu n’existe pas.', 'Phileas Fogg, chapter 3']],
      },
      {
        chapter: 'Eastward',
        steps: [
          ['Suez to Shiraz: ten ghazals, aloud', 40, 'the-divan-of-hafez'],
          ['Calcutta: a dozen songs before breakfast', 45, 'gitanjali'],
          ['Hanoi: the first meeting of Kiều and Kim', 60, 'the-tale-of-kieu'],
          ['Beijing: one bad night', 30, 'call-to-arms'],
          ['Tokyo: chapter one, in the company of the cat', 50, 'i-am-a-cat'],
        ],
      },
      { quote: '日々旅にして旅を栖とす。', by: 'matsuo-basho' },
      {
        chapter: 'And home by the west',
        steps: [
          ['Across the Pacific, with a whale', 90, 'moby-dick'],
          ['Down the Mississippi: the fog', 45, 'adventures-of-huckleberry-finn'],
          ['Rio: the dedication and three chapters', 20, 'the-posthumous-memoirs-of-bras-cubas'],
        ],
      },
    ],
  },
  {
    title: 'First sentences that did the rest',
    curator: 'Circulation',
    body: [
      {
        intro:
          'Some books have told you everything by the first full stop. Read these openings standing at the shelf; if you are still standing after ten minutes, take the book home.',
      },
      {
        pick: 'moby-dick',
        note: 'Three words, and already a doubt: is it his name?',
        quotes: [['Call me Ishmael.', 'Chapter 1']],
      },
      {
        pick: 'pride-and-prejudice',
        note: 'A universal truth that turns out to be the opinion of the neighbours.',
        quotes: [
          [
            'It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.',
            'Chapter 1',
          ],
        ],
      },
      {
        pick: 'the-metamorphosis',
        note: 'The impossible is over by the comma.',
        quotes: [
          [
            'Als Gregor Samsa eines Morgens aus unruhigen Träumen erwachte, fand er sich in seinem Bett zu einem ungeheueren Ungeziefer verwandelt.',
            'Part I',
          ],
        ],
      },
      {
        pick: 'native-life-in-south-africa',
        note: 'The best first sentence ever written in a work of politics.',
        quotes: [
          [
            'Awaking on Friday morning, June 20, 1913, the South African native found himself, not actually a slave, but a pariah in the land of his birth.',
            'Chapter 1',
          ],
        ],
      },
      {
        pick: 'i-am-a-cat',
        note: 'The pomp of a lord, then a shrug.',
        quotes: [['吾輩は猫である。名前はまだ無い。', 'Chapter 1']],
      },
      { quote: 'Всё смешалось в доме Облонских.', by: 'leo-tolstoy' },
    ],
  },
  {
    title: 'Rooms of their own',
    curator: 'Friends of the library',
    body: [
      {
        intro:
          'Nine centuries of women who wrote although nobody had asked them to. Many of them published under another name, or under none.',
      },
      {
        chapter: 'At court and in the cloister',
        steps: [
          ['Lists, with opinions', 60, 'the-pillow-book'],
          ['Genji: the broom-tree and the night of rain', 120, 'the-tale-of-genji'],
          ['Laying the first stones', 75, 'the-book-of-the-city-of-ladies'],
          ['A confession at Coulommiers', 50, 'the-princess-of-cleves'],
          ['Night rises over Mexico', 45, 'first-dream'],
        ],
      },
      {
        pick: 'a-vindication-of-the-rights-of-woman',
        note: 'Angry, hurried and unanswerable. Read the introduction, then chapter nine.',
        quotes: [['I do not wish them to have power over men; but over themselves.', 'Chapter 4']],
      },
      {
        pick: 'jane-eyre',
        note: 'The scene in the orchard, on midsummer eve, is the sentence above turned into a novel.',
        quotes: [
          [
            'I am no bird; and no net ensnares me: I am a free human being with an independent will.',
            'Chapter 23',
          ],
        ],
      },
      {
        pick: 'sultanas-dream',
        note: 'An afternoon’s joke that has become more practical every year, solar cooking included.',
        quotes: [],
      },
      { quote: 'The Soul selects her own Society — Then — shuts the Door —', by: 'emily-dickinson' },
      {
        chapter: 'Into the twentieth century',
        steps: [
          ['Karoo, noon', 60, 'the-story-of-an-african-farm'],
          ['A defrocked priest goes up into the pulpit', 40, 'gosta-berlings-saga'],
          ['The last summer in Yoshiwara', 70, 'childs-play'],
          ['Miss Brill puts on her fur', 15, 'the-garden-party'],
          ['Ten years in twenty pages', 40, 'to-the-lighthouse'],
        ],
      },
    ],
  },
  {
    title: 'The monster shelf',
    curator: 'Night porter',
    body: [
      {
        intro:
          'For long evenings. Nothing on this shelf is as bad as it looks, and some of the **people** are worse. Return the books before dark.',
      },
      {
        pick: 'frankenstein',
        note: 'Remember that it is the doctor’s name, and that the creature is the better reader.',
        quotes: [
          ['I ought to be thy Adam, but I am rather the fallen angel.', 'The creature, volume II, chapter 2'],
        ],
      },
      {
        pick: 'strange-case-of-dr-jekyll-and-mr-hyde',
        note: 'A hundred pages. Pretend that you do not know.',
        quotes: [['If he be Mr. Hyde, I shall be Mr. Seek.', 'Mr Utterson, “Search for Mr. Hyde”']],
      },
      {
        pick: 'dracula',
        note: 'Count the machines: typewriter, phonograph, telegraph, Kodak. The old world does not stand a chance.',
        quotes: [['Listen to them—the children of the night. What music they make!', 'Chapter 2']],
      },
      { quote: 'All that we see or seem is but a dream within a dream.', by: 'edgar-allan-poe' },
      {
        chapter: 'A programme for one foggy weekend',
        steps: [
          ['Friday, ten at night: the first four chapters, in Transylvania', 90, 'dracula'],
          ['Saturday morning, for courage: a case', 150, 'the-hound-of-the-baskervilles'],
          ['Saturday night: the attic', 60, 'the-picture-of-dorian-gray'],
          ['Sunday: the invaders die of it', 180, 'the-war-of-the-worlds'],
        ],
      },
    ],
  },
  {
    title: 'Epics, a little at a time',
    curator: 'The reference desk',
    body: [
      {
        intro:
          'Epics were made for evenings, a few hundred lines each, with food. Here is a calendar for a winter: seven peoples, one hero or heroine each, and hardly anyone gets home unchanged.',
      },
      {
        chapter: 'The oldest four',
        steps: [
          ['Tablet XI: the Flood', 30, 'the-epic-of-gilgamesh'],
          ['Book IX: nobody, and a sheep', 40, 'the-odyssey'],
          ['Book VI: the spider', 25, 'metamorphoses'],
          ['Rostam and Sohrab, at one sitting', 75, 'shahnameh'],
        ],
      },
      {
        quote: 'E quindi uscimmo a riveder le stelle.',
        by: 'dante-alighieri',
      },
      {
        pick: 'the-divine-comedy',
        note: 'One canto a day is one hundred days; leave on 25 March, as he may have done.',
        quotes: [
          ['Lasciate ogne speranza, voi ch’intrate.', 'Inferno III, 9'],
          ['L’amor che move il sole e l’altre stelle.', 'Paradiso XXXIII, 145'],
        ],
      },
      {
        pick: 'the-tale-of-kieu',
        note: 'No wars to speak of: an epic in which the hero is a woman and the enemy is money.',
        quotes: [['Trăm năm trong cõi người ta, / Chữ tài chữ mệnh khéo là ghét nhau.', 'Lines 1–2']],
      },
      {
        pick: 'journey-to-the-west',
        note: 'The first seven chapters stand alone: a stone monkey against the whole of heaven.',
        quotes: [],
      },
    ],
  },
  {
    title: 'Read under the desk',
    curator: 'Children’s room',
    body: [
      {
        intro:
          'Books that were forbidden before lunch and set as homework after. Ages eight and up; there is no upper limit.',
      },
      {
        pick: 'alices-adventures-in-wonderland',
        note: 'Best read aloud, by two people, with voices.',
        quotes: [
          ['We’re all mad here.', 'The Cheshire Cat, chapter 6'],
          ['Curiouser and curiouser!', 'Alice, chapter 2'],
        ],
      },
      {
        pick: 'treasure-island',
        note: 'Stop after the apple barrel if you dare.',
        quotes: [['Fifteen men on the dead man’s chest— Yo-ho-ho, and a bottle of rum!', 'Chapter 1']],
      },
      {
        pick: 'anne-of-green-gables',
        note: 'For whoever has been told to talk less.',
        quotes: [
          ['Isn’t it nice to think that tomorrow is a new day with no mistakes in it yet?', 'Chapter 21'],
        ],
      },
      {
        chapter: 'Four bedtimes',
        steps: [
          ['The Frog King, with the splash', 10, 'grimms-fairy-tales'],
          ['The Tinderbox: eyes as big as teacups', 15, 'fairy-tales-told-for-children'],
          ['Pinocchio meets the Fox and the Cat', 20, 'the-adventures-of-pinocchio'],
          ['Amy and the limes', 20, 'little-women'],
        ],
      },
    ],
  },
  {
    title: 'One sitting',
    curator: 'Circulation',
    body: [
      {
        intro: 'Under three hours each, doors closed, telephone elsewhere. They were written to be finished.',
      },
      {
        chapter: 'By the clock',
        steps: [
          ['Before breakfast', 25, 'sultanas-dream'],
          ['A lunch hour', 60, 'the-murders-in-the-rue-morgue'],
          ['A train from one city to the next', 75, 'the-metamorphosis'],
          ['An afternoon with rain', 100, 'the-devils-pool'],
          ['An evening', 120, 'candide'],
          ['An evening, and part of the night', 170, 'heart-of-darkness'],
        ],
      },
      {
        pick: 'candide',
        note: 'Thirty chapters, most of them two pages. Laugh first, count the dead afterwards.',
        quotes: [
          ['Si c’est ici le meilleur des mondes possibles, que sont donc les autres ?', 'Chapter 6'],
          ['Il faut cultiver notre jardin.', 'Chapter 30'],
        ],
      },
      {
        pick: 'narrative-of-the-life-of-frederick-douglass',
        note: 'One hundred and twenty-five pages. Chapter seven is about learning to read, and should be read by everyone who can.',
        quotes: [
          [
            'You have seen how a man was made a slave; you shall see how a slave was made a man.',
            'Chapter 10',
          ],
        ],
      },
      { quote: 'Brevity is the soul of wit.', by: 'william-shakespeare' },
    ],
  },
  {
    title: 'Books that made a law, or broke one',
    curator: 'Friends of the library',
    draft: true,
    body: [
      { intro: 'In preparation. Books that were tried in court, or that put the court on trial.' },
      {
        pick: 'madame-bovary',
        note: 'Acquitted in February 1857. The same prosecutor had more luck with Baudelaire in August.',
        quotes: [],
      },
      {
        pick: 'the-flowers-of-evil',
        note: 'Fined, and six poems cut. The verdict was set aside in 1949.',
        quotes: [['Hypocrite lecteur, — mon semblable, — mon frère !', 'Au lecteur']],
      },
      {
        pick: 'noli-me-tangere',
        note: 'Banned, smuggled, read; its author was shot.',
        quotes: [],
      },
      {
        chapter: 'Before the bench',
        steps: [
          ['A sister against a decree', 90, 'antigone'],
          ['Arrested, but free to go to the office', 60, 'the-trial'],
        ],
      },
    ],
  },
]
