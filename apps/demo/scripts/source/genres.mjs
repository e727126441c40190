/**
 * The genre tree, three levels deep: [name, description, children]. A book is filed under any level; slugs come from names.
 */
export const genres = [
  [
    'Fiction',
    'Invented people in invented trouble, told in prose.',
    [
      [
        'Novel',
        'A long story in prose, with room for a whole life or a whole town.',
        [
          ['Realist novel', 'Ordinary life, closely observed, with its money, manners and weather left in.'],
          ['Social novel', 'A society put on trial through the fates of a few of its members.'],
          ['Bildungsroman', 'The story of growing up: a young person finds, or loses, a place in the world.'],
          ['Gothic novel', 'Old houses, locked rooms, guilty secrets and nature at its stormiest.'],
          ['Adventure novel', 'Voyages, islands, treasure and narrow escapes.'],
          [
            'Historical novel',
            'A story set well before its author was born, with the archives open on the desk.',
          ],
          ['Satirical novel', 'The follies of an age, laughed at until they hurt.'],
          ['Psychological novel', 'The plot happens mostly inside somebody’s head.'],
          ['Modernist novel', 'Time, memory and the voice of the mind take over from the plot.'],
          ['Epistolary novel', 'A story told in letters, diaries and other papers.'],
        ],
      ],
      [
        'Speculative fiction',
        'Stories that change one rule of the world and watch what follows.',
        [
          ['Science fiction', 'The changed rule is a discovery, a machine or a visitor from elsewhere.'],
          ['Utopian fiction', 'A better society, described so that we notice our own.'],
          ['Horror', 'The changed rule would rather we had not found out.'],
          ['Fantastic tale', 'The impossible happens, and nobody in the story is quite surprised.'],
        ],
      ],
      [
        'Short fiction',
        'Stories that can be read in one sitting.',
        [
          ['Short story', 'One situation, one turn, no spare words.'],
          ['Novella', 'Longer than a story, shorter than a novel, and usually more severe than both.'],
          ['Frame tale', 'A company of tellers, and the tales they tell each other.'],
          ['Fairy tale', 'Once upon a time, collected from the hearth or invented at a desk.'],
        ],
      ],
      [
        'Crime fiction',
        'Somebody did it; somebody else would like to know who, or why.',
        [
          ['Detective story', 'A puzzle with a body, solved by looking harder than anyone else.'],
          [
            'Novel of guilt',
            'The culprit is known from the start; the question is what the deed does to him.',
          ],
        ],
      ],
    ],
  ],
  [
    'Poetry',
    'Language under pressure of measure and music.',
    [
      [
        'Narrative poetry',
        'Stories told in verse.',
        [
          ['Epic', 'Heroes, gods and the founding of peoples, at full length.'],
          ['Novel in verse', 'A modern story in stanzas.'],
          ['Mythological poem', 'The old stories of gods and changes, retold by one poet.'],
        ],
      ],
      [
        'Lyric poetry',
        'Short poems of a single voice.',
        [
          ['Ghazal', 'Couplets of love and longing on one rhyme, each a poem by itself.'],
          ['Quatrain', 'Four lines and a thought; in Persian, the rubai.'],
          ['Haiku', 'Seventeen syllables, a season, a moment of attention.'],
          ['Devotional song', 'Poems addressed to the divine, often meant to be sung.'],
          ['Free verse', 'Lines that make their own measure.'],
          ['Philosophical poem', 'An argument about the world carried by images.'],
          ['Prose poem', 'Poetry that has let go of the line.'],
        ],
      ],
    ],
  ],
  [
    'Drama',
    'Written to be spoken by other people.',
    [
      [
        'Tragedy',
        'Somebody great, or merely stubborn, meets what could have been avoided.',
        [
          ['Greek tragedy', 'Played in the theatre of Dionysus in Athens, with chorus and masks.'],
          ['Revenge tragedy', 'A murder, a ghost, a delay and a fifth act with few survivors.'],
          ['Philosophical tragedy', 'The stakes are knowledge and the soul.'],
        ],
      ],
      [
        'Comedy',
        'It ends better than it began.',
        [
          ['Romance play', 'Shipwreck, wonder, reunion and forgiveness.'],
          ['Sanskrit court comedy', 'Love, loss and recognition, in verse and prose, before a king.'],
          ['Tragicomedy', 'The audience cannot tell whether to laugh, and neither could the author.'],
        ],
      ],
      [
        'Modern drama',
        'Living rooms, doors and arguments since about 1870.',
        [
          ['Problem play', 'A question of the day, put to a household.'],
          ['Science-fiction play', 'Tomorrow, on a stage.'],
        ],
      ],
    ],
  ],
  [
    'Non-fiction',
    'What happened, what is the case, what ought to be done.',
    [
      [
        'Life writing',
        'Lives told by those who lived them.',
        [
          ['Autobiography', 'A life in the first person.'],
          ['Slave narrative', 'Testimony of slavery by those who escaped or survived it.'],
          ['Zuihitsu', 'Notes that follow the brush: lists, scenes and opinions in no fixed order.'],
          ['Travel writing', 'Someone went, and came back to tell.'],
        ],
      ],
      [
        'Thought',
        'Books that argue.',
        [
          ['Philosophy', 'What there is, and how to live with it.'],
          ['Political writing', 'Tracts, manifestos and vindications.'],
          ['Essay', 'An attempt at a subject, beginning with oneself.'],
          ['Feminist classic', 'Early and unanswered arguments for the rights of women.'],
        ],
      ],
      [
        'History writing',
        'Inquiry into the past.',
        [['Ancient history', 'Written in antiquity, about antiquity.']],
      ],
    ],
  ],
  [
    "Children's literature",
    'Written for the young, kept by everybody.',
    [
      [
        "Children's novel",
        'Long enough for a winter of bedtimes.',
        [
          ['Family story', 'Sisters, kitchens, quarrels and reconciliations.'],
          ['Nonsense', 'Logic pursued until it falls down a hole.'],
          ['Fantasy for children', 'Puppets, wizards and talking beasts.'],
        ],
      ],
    ],
  ],
]
