#include "analysis/board/glyphs.h"

#include <assert.h>
#include <string.h>

enum {
    MIN_PART = 4 /* letters of a word that stands at the end or beginning of another (a guess) */
};

#define BASE "M-11 9h22v5h-22z"
#define DIE "M-10-13h20l3 3v20l-3 3h-20l-3-3v-20z"
#define PIP(x, y) "M" #x " " #y "m-1.3 0a1.3 1.3 0 1 1 2.6 0a1.3 1.3 0 1 1-2.6 0"

static const Glyph glyphs[] = {
    {"king",
     "M-8 9l-3-8c-1-5 4-8 7.5-5.5 1.5 1 2.5 2.5 3.5 4 1-1.5 2-3 3.5-4 "
     "3.5-2.5 8.5.5 7.5 5.5l-3 8z"
     "M-1.4-16h2.8v2.6h2.7v2.7h-2.7v4.7h-2.8v-4.7h-2.7v-2.7h2.7z" BASE,
     "M-8 5.5h16", PAINT_PIECE, 0},
    {"queen", "M-8 9l-5-18 6.5 8 2-12 4.5 11 4.5-11 2 12 6.5-8-5 18z" BASE, "M-8 5h16", PAINT_PIECE,
     0},
    {"rook", "M-11-14h5v3h3.5v-3h5v3h3.5v-3h5v8l-3 3v12h-16v-12l-3-3z" BASE, "M-8-3h16",
     PAINT_PIECE, 0},
    {"bishop",
     "M0-16a2.2 2.2 0 0 1 1.5 3.8c4 3 6 6.2 6 9.7 0 3-1.5 5.5-3.5 "
     "7l2 4.5h-12l2-4.5c-2-1.5-3.5-4-3.5-7 0-3.5 2-6.7 6-9.7a2.2 2.2 "
     "0 0 1 1.5-3.8z" BASE,
     "M0-8v7M-3.5-4.5h7", PAINT_PIECE, 0},
    {"knight",
     "M-8 9c0-6 3.5-8 6-12-2 0-3.5 1-5.5 2.5s-5.5-1-4-3.5l5-6.5c1-2.5 "
     "2.5-3.5 4.5-4l1-3 3 3c6.5 1.5 9 8 8 23.5z" BASE,
     "M-2.5-8.5l1 .8M4-9c2.5 3 3 8 2.5 14", PAINT_PIECE, 0},
    {"pawn",
     "M0-12a5.2 5.2 0 0 1 3.2 9.3c3.3 2.2 4.8 6.7 5.3 "
     "11.7h-17c.5-5 2-9.5 5.3-11.7a5.2 5.2 0 0 1 3.2-9.3z" BASE,
     "", PAINT_PIECE, 0},
    {"amazon",
     "M-8 9l-5-17 6 6 1-8 6 7 6-7 1 8 6-6-5 17z"
     "M-1.4-16h2.8v2.6h2.7v2.7h-2.7v4.7h-2.8v-4.7h-2.7v-2.7h2.7z" BASE,
     "M-8 5h16", PAINT_PIECE, 0},
    {"elephant", "M-12 12v-11c0-8 5-13 12-13 8 0 13 5 13 12v6c0 3-4 3-4 0v-4h-2v10h-6v-5h-6v5z",
     "M4-4l1 .8", PAINT_PIECE, 0},
    {"general", "M-10 14v-17l-3-3 13-9 13 9-3 3v17z", "M-6 7h12M-6 1h12", PAINT_PIECE, 0},
    {"lance", "M0-16l6 10h-3v20h-6v-20h-3z", "", PAINT_PIECE, 0},
    {"disc", "M0-14a14 14 0 1 1 0 28a14 14 0 1 1 0-28z", "", PAINT_PIECE, 0},
    {"man", "M0-14a14 14 0 1 1 0 28a14 14 0 1 1 0-28z", "M0-9a9 9 0 1 1 0 18a9 9 0 1 1 0-18z",
     PAINT_PIECE, 0},
    {"crowned", "M0-14a14 14 0 1 1 0 28a14 14 0 1 1 0-28z", "M-7 6l-2-11 5 5 4-7 4 7 5-5-2 11z",
     PAINT_PIECE, 0},
    {"x", "M-11-11l22 22M-11 11l22-22", "", PAINT_STROKE, 0x2f6fb7},
    {"o", "M0-11a11 11 0 1 1 0 22a11 11 0 1 1 0-22z", "", PAINT_STROKE, 0xf2b134},
    {"plus", "M0-12v24M-12 0h24", "", PAINT_STROKE, 0},
    {"arrow", "M-13 13l19-19M-3-11h13v13", "", PAINT_STROKE, 0},
    {"up", "M0-14l11 12h-6v15h-10v-15h-6z", "", PAINT_PIECE, 0},
    {"down", "M0 14l11-12h-6v-15h-10v15h-6z", "", PAINT_PIECE, 0},
    {"left", "M-14 0l12-11v6h15v10h-15v6z", "", PAINT_PIECE, 0},
    {"right", "M14 0l-12-11v6h-15v10h15v6z", "", PAINT_PIECE, 0},
    {"person",
     "M0-15a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11zM-10 14c0-11 3-16 10-16s10 5 "
     "10 16z",
     "", PAINT_PIECE, 0},
    {"robot", "M-9-10h18v12h-18zM-12 4h24v10h-24z", "M-4-4.5v1.5M4-4.5v1.5M0-10v-5M-5 9h10",
     PAINT_PIECE, 0x8fa3b5},
    {"ghost", "M-11 13v-15c0-7 5-12 11-12s11 5 11 12v15l-5.5-4-5.5 4-5.5-4z", "M-4-4v2M4-4v2",
     PAINT_PIECE, 0xc9b6e4},
    {"pacman", "M12-8a14 14 0 1 0 0 16l-11-8z", "M1-9l.5.5", PAINT_PIECE, 0xf4d03f},
    {"mouse",
     "M-8-6a5 5 0 1 1 5-5c2-.5 4-.5 6 0a5 5 0 1 1 5 5c2 2 3 5 3 8 0 6-5 11-11 "
     "11s-11-5-11-11c0-3 1-6 3-8z",
     "M-4 0v1.5M4 0v1.5M-2 8h4M-8 8h-6M8 8h6", PAINT_PIECE, 0xa9a9ad},
    {"cat", "M-12-14l7 5c3-1 7-1 10 0l7-5v14c0 8-5 13-12 13s-12-5-12-13z",
     "M-5-1v2M5-1v2M-2 6l2 2 2-2M-9 6h-6M9 6h6", PAINT_PIECE, 0xd9a15b},
    {"wolf", "M-12-15l7 8h10l7-8 1 14-6 8-7 8-7-8-6-8z", "M-5-1l2 1M5-1l-2 1M-2 9h4", PAINT_PIECE,
     0x84888f},
    {"sheep",
     "M-9 6a6 6 0 0 1-2-10a6 6 0 0 1 7-8a7 7 0 0 1 9 0a6 6 0 0 1 6 8a6 6 0 0 1-2 10v7h-4v-5"
     "h-10v5h-4z",
     "M8-4l1 .8", PAINT_PIECE, 0xf3efe6},
    {"snake", "M-13 11h16c6 0 6-9 0-9h-6c-8 0-8-13 1-13h12", "", PAINT_STROKE, 0x3f8f4f},
    {"monster", "M-12 13v-15c0-8 5-13 12-13s12 5 12 13v15l-4-5-4 5-4-5-4 5-4-5z",
     "M-6-6l4 3M6-6l-4 3M-5 3h10", PAINT_PIECE, 0x7c9c5a},
    {"wheel",
     "M-14 2h3l4-7h12l4 7h5v7h-28zM-8 7a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM8 7a4 4 0 1 1 0 8a4 4 "
     "0 1 1 0-8z",
     "", PAINT_PIECE, 0xc0504d},
    {"tank", "M-13-3h26v14h-26zM-5-11h10v8h-10zM5-9h10v3h-10z", "M-13 4h26", PAINT_PIECE, 0},
    {"ship", "M-15 3h30l-5 10h-20zM-1-14h2v17h-2zM2-13l10 13h-10z", "", PAINT_PIECE, 0x7f9db9},
    {"rocket", "M0-16c5 5 6 10 6 16l5 7v5h-22v-5l5-7c0-6 1-11 6-16z",
     "M0-6a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5z", PAINT_PIECE, 0xc9d3dc},
    {"tree", "M0-16l12 19h-8v11h-8v-11h-8z", "", PAINT_THING, 0x5a9a5a},
    {"house", "M0-15l14 12h-3v16h-22v-16h-3z", "M-3 13v-9h6v9", PAINT_THING, 0xc58b5a},
    {"castle", "M-13-13h5v4h5v-4h6v4h5v-4h5v27h-26z", "M-4 14v-9h8v9", PAINT_THING, 0xb9b0a2},
    {"box", "M-13-13h26v26h-26z", "M-13-13l26 26M-13 13l26-26", PAINT_THING, 0xc89b5e},
    {"block", "M-13-13h26v26h-26z", "M-13-8h26", PAINT_THING, 0xc89b5e},
    {"gold", "M0-13a13 13 0 1 1 0 26a13 13 0 1 1 0-26z",
     "M0-8.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17z", PAINT_THING, 0xf2c230},
    {"gem", "M-8-11h16l6 8-14 16-14-16z", "M-14-3h28M-5-3l5 15M5-3l-5 15", PAINT_THING, 0x55c1d9},
    {"key", "M-8-8a7 7 0 1 1 0 14a7 7 0 1 1 0-14zM-2-3h16v9h-4v-4h-3v4h-4v-5h-5z", "", PAINT_THING,
     0xe0b73c},
    {"door", "M-9-15h18v30h-18z", "M4 0l.5.5", PAINT_THING, 0x9b6b3f},
    {"flag", "M-10-15h3v30h-3zM-7-14l18 7-18 7z", "", PAINT_THING, 0xd64545},
    {"star",
     "M0-15l4.2 9.8 10.6 1-8 7 2.4 10.4-9.2-5.5-9.2 5.5 2.4-10.4-8-7 "
     "10.6-1z",
     "", PAINT_THING, 0xf2c230},
    {"heart", "M0 13l-12-12c-5-6 0-14 6-13 3 .5 5 2.5 6 5 1-2.5 3-4.5 6-5 6-1 11 7 6 13z", "",
     PAINT_THING, 0xd64545},
    {"bomb", "M-1-8a11 11 0 1 1 0 22a11 11 0 1 1 0-22z", "M3-8c1-5 4-6 8-5", PAINT_THING, 0x3b3b44},
    {"ball", "M0-10a10 10 0 1 1 0 20a10 10 0 1 1 0-20z", "M-5-4c3-3 6-3 9-1", PAINT_THING,
     0xe07b39},
    {"pellet", "M0-4a4 4 0 1 1 0 8a4 4 0 1 1 0-8z", "", PAINT_THING, 0xe8b84a},
    {"cheese", "M-14 8v-6l20-12c5 1 8 5 8 10v8z", "M-14 2h28M-4 5l.5.5M5-4l.5.5", PAINT_THING,
     0xf4cf57},
    {"fruit", "M-2-7c-8-4-14 2-11 11 3 10 8 11 13 9 5 2 10 1 13-9 3-9-3-15-11-11z",
     "M0-7c0-4 2-7 5-8", PAINT_THING, 0xd6504a},
    {"food", "M-12-2h24c0 9-5 13-12 13s-12-4-12-13z", "M-5-6v-6M1-6v-7M7-6v-5", PAINT_THING,
     0xd9a066},
    {"lamp", "M-5 5c-5-3-7-7-6-11 1-6 6-9 11-9s10 3 11 9c1 4-1 8-6 11v4h-10zM-4 10h8v4h-8z", "",
     PAINT_THING, 0xffd94a},
    {"fire",
     "M0-16c2 6 10 9 10 19 0 7-5 11-10 11s-10-4-10-11c0-5 3-7 4-11 2 1 3 3 3 5 3-3 4-8 "
     "3-13z",
     "", PAINT_THING, 0xf0742e},
    {"smoke", "M-12 9a6 6 0 0 1 0-11a7 7 0 0 1 10-8a8 8 0 0 1 12 7a6 6 0 0 1 3 12z", "",
     PAINT_THING, 0xb7bcc2},
    {"water", "M-20-20h40v40h-40z", "M-13-6q4-4 8 0t8 0 8 0M-13 6q4-4 8 0t8 0 8 0", PAINT_TERRAIN,
     0x7db7de},
    {"dirt", "M-12 10c-2-6 3-7 4-11 2-5 6-3 7 0 3-3 6 0 6 3 5 1 7 5 5 8z", "", PAINT_THING,
     0x8a6a4a},
    {"trap", "M-13-13h26v26h-26z", "M-13-13l26 26M-13 13l26-26M-13 0h26M0-13v26", PAINT_THING,
     0x7a7168},
    {"wall", "M-20-20h40v40h-40z", "M-20-7h40M-20 7h40M0-20v13M-10-7v14M10-7v14M0 7v13",
     PAINT_TERRAIN, 0x77706a},
    {"stone", "M-9 11c-7-3-6-12-2-17 5-6 15-7 20-1 5 5 5 14-1 17z", "", PAINT_THING, 0x8e8a86},
    {"hole", "M-20-20h40v40h-40z", "", PAINT_TERRAIN, 0x5a4c3e},
    {"dot", "M0-4a4 4 0 1 1 0 8a4 4 0 1 1 0-8z", "", PAINT_THING, 0x9a8f7c},
    {"target",
     "M0-14a14 14 0 1 1 0 28a14 14 0 1 1 0-28zM0-10a10 10 0 1 0 0 20a10 10 0 1 0 0-20z"
     "M0-5a5 5 0 1 1 0 10a5 5 0 1 1 0-10z",
     "", PAINT_THING, 0xc0504d},
    {"edge north", "M-20-20h40", "", PAINT_EDGE, 0x3a3230},
    {"edge south", "M-20 20h40", "", PAINT_EDGE, 0x3a3230},
    {"edge east", "M20-20v40", "", PAINT_EDGE, 0x3a3230},
    {"edge west", "M-20-20v40", "", PAINT_EDGE, 0x3a3230},
    {"mark", "M-20-20h40v40h-40z", "", PAINT_TERRAIN, 0x3d5a80},
    {"trail", "M-16-16h32v32h-32z", "", PAINT_PIECE, 0},
    {"check", "M-11 1l7 8 15-18", "", PAINT_STROKE, 0x3f8f4f},
    {"question", "M-7-6c0-10 14-10 14-1 0 5-7 5-7 10M0 10v.5", "", PAINT_STROKE, 0x555555},
    {"square", "M-11-11h22v22h-22z", "", PAINT_PIECE, 0},
    {"triangle", "M0-13l13 23h-26z", "", PAINT_PIECE, 0},
    {"diamond", "M0-14l13 14-13 14-13-14z", "", PAINT_PIECE, 0},
    {"hexagon", "M-7-12h14l7 12-7 12h-14l-7-12z", "", PAINT_PIECE, 0},
    {"pentagon", "M0-14l13 10-5 16h-16l-5-16z", "", PAINT_PIECE, 0},
    {"die 1", DIE, PIP(0, 0), PAINT_THING, 0xfaf6ea},
    {"die 2", DIE, PIP(-6, -6) PIP(6, 6), PAINT_THING, 0xfaf6ea},
    {"die 3", DIE, PIP(-6, -6) PIP(0, 0) PIP(6, 6), PAINT_THING, 0xfaf6ea},
    {"die 4", DIE, PIP(-6, -6) PIP(6, 6) PIP(-6, 6) PIP(6, -6), PAINT_THING, 0xfaf6ea},
    {"die 5", DIE, PIP(-6, -6) PIP(6, 6) PIP(-6, 6) PIP(6, -6) PIP(0, 0), PAINT_THING, 0xfaf6ea},
    {"die 6", DIE, PIP(-6, -6) PIP(6, 6) PIP(-6, 6) PIP(6, -6) PIP(-6, 0) PIP(6, 0), PAINT_THING,
     0xfaf6ea},
    {"cross", "M-5-14h10v9h9v10h-9v9h-10v-9h-9v-10h9z", "", PAINT_PIECE, 0},
};

/* Words and the names of their symbols, in pairs. */
static const char *const words[] = {
    "king",        "king",     "queen",    "queen",     "rook",     "rook",     "tower",
    "rook",        "bishop",   "bishop",   "knight",    "knight",   "horse",    "knight",
    "pawn",        "pawn",     "amazon",   "amazon",    "elephant", "elephant", "general",
    "general",     "marshal",  "general",  "lance",     "lance",    "spear",    "lance",
    "soldier",     "person",   "disc",     "disc",      "disk",     "disc",     "piece",
    "disc",        "checker",  "man",      "counter",   "disc",     "token",    "disc",
    "bead",        "disc",     "marble",   "ball",      "peg",      "ball",     "man",
    "man",         "stone",    "disc",     "x",         "x",        "ex",       "x",
    "ecks",        "x",        "o",        "o",         "oh",       "o",        "circle",
    "o",           "cross",    "x",        "plus",      "plus",     "arrow",    "arrow",
    "up",          "up",       "north",    "up",        "down",     "down",     "south",
    "down",        "left",     "left",     "west",      "left",     "right",    "right",
    "east",        "right",    "person",   "person",

    "agent",       "person",   "hero",     "person",    "explorer", "person",   "runner",
    "person",      "walker",   "person",   "thief",     "person",   "hunter",   "person",
    "human",       "person",

    "prince",      "person",   "girl",     "person",    "boy",      "person",   "firefighter",
    "person",      "fireman",  "person",   "zombie",    "monster",  "robot",    "robot",
    "bot",         "robot",    "vacuum",   "robot",     "cleaner",  "robot",    "ghost",
    "ghost",       "blinky",   "ghost",    "inky",      "ghost",    "pacman",   "pacman",
    "mouse",       "mouse",    "rat",      "mouse",     "cat",      "cat",      "kitten",
    "cat",         "wolf",     "wolf",     "fox",       "wolf",     "dog",      "wolf",
    "coyote",      "wolf",     "sheep",    "sheep",     "goat",     "sheep",    "lamb",
    "sheep",       "snake",    "snake",    "worm",      "snake",    "monster",  "monster",
    "wumpus",      "monster",  "mummy",    "monster",   "dragon",   "monster",  "enemy",
    "monster",     "alien",    "monster",  "car",       "wheel",    "racer",    "wheel",
    "cart",        "wheel",    "truck",    "wheel",     "tank",     "tank",     "ship",
    "ship",        "boat",     "ship",     "raft",      "ship",     "rocket",   "rocket",
    "spaceship",   "rocket",   "plane",    "rocket",    "tree",     "tree",     "forest",
    "tree",        "house",    "house",    "home",      "house",    "castle",   "castle",
    "fort",        "castle",   "base",     "castle",    "box",      "box",      "crate",
    "box",         "chest",    "box",      "block",     "block",    "brick",    "wall",
    "tile",        "block",    "gold",     "gold",      "coin",     "gold",     "coins",
    "gold",        "money",    "gold",     "treasure",  "gem",      "gem",      "gem",
    "diamond",     "diamond",  "jewel",    "gem",       "key",      "key",      "door",
    "door",        "exit",     "door",     "gate",      "door",     "escape",   "door",
    "flag",        "flag",     "goal",     "flag",      "finish",   "flag",     "star",
    "star",        "heart",    "heart",    "bomb",      "bomb",     "mine",     "bomb",
    "ball",        "ball",     "pellet",   "pellet",    "dot",      "pellet",   "point",
    "pellet",      "pill",     "pellet",   "offlimits", "wall",     "hedge",    "wall",
    "cheese",      "cheese",   "fruit",    "fruit",     "apple",    "fruit",    "food",
    "food",        "lamp",     "lamp",     "light",     "lamp",     "fire",     "fire",
    "flame",       "fire",     "burning",  "fire",      "burnt",    "smoke",    "smoke",
    "smoke",       "water",    "water",    "sea",       "water",    "river",    "water",
    "lake",        "water",    "dirt",     "dirt",      "dirty",    "dirt",     "dust",
    "dirt",        "trap",     "trap",     "wall",      "wall",     "obstacle", "wall",
    "barrier",     "wall",     "blocked",  "wall",      "rock",     "stone",    "boulder",
    "stone",       "hole",     "hole",     "pit",       "hole",     "target",   "target",
    "destination", "target",   "triangle", "triangle",  "square",   "square",   "hexagon",
    "hexagon",     "pentagon", "pentagon", "visited",   "trail",    "trail",    "trail",
    "burned",      "smoke",    "unknown",  "question",  "filled",   "mark",     "marked",
    "mark",        "fill",     "mark",     "asteroid",  "stone",    "planet",   "target",
    "raven",       "ghost",    "spider",   "monster",   "bridge",   "door",
};

typedef struct {
    const char *word;
    uint32_t colour;
} ColourWord;

static const ColourWord colours[] = {
    {"white", 0xfaf6ea},  {"black", 0x2b2b33},     {"red", 0xd23b3b},     {"green", 0x3f9a4f},
    {"blue", 0x2f6fb7},   {"yellow", 0xf4cf2e},    {"orange", 0xf08a24},  {"purple", 0x7d4fa8},
    {"brown", 0x8a5a32},  {"pink", 0xf09abf},      {"gray", 0x8d8d92},    {"grey", 0x8d8d92},
    {"cyan", 0x4fc3d9},   {"teal", 0x178a8a},      {"magenta", 0xc23d9a}, {"violet", 0x8b5fc7},
    {"silver", 0xc3c7cc}, {"navy", 0x1f3a6b},      {"lime", 0xa8d83f},    {"maroon", 0x7a2433},
    {"indigo", 0x4b4aa8}, {"turquoise", 0x45c4b0}, {"beige", 0xe8dcb9},   {"golden", 0xf2c230},
};

const Glyph *glyph_named(const char *name) {
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (strcmp(glyphs[i].name, name) == 0)
            return &glyphs[i];
    assert(!"no such symbol");
    return GLYPH_NONE;
}

static bool spells(const char *entry, const char *word, size_t length) {
    return strncmp(entry, word, length) == 0 && entry[length] == '\0';
}

static const Glyph *glyph_of_exact(const char *word, size_t length) {
    for (size_t i = 0; length && i < sizeof words / sizeof *words; i += 2)
        if (spells(words[i], word, length))
            return glyph_named(words[i + 1]);
    return GLYPH_NONE;
}

const Glyph *glyph_of_word(const char *word, size_t length) {
    const Glyph *glyph = glyph_of_exact(word, length);
    if (!glyph && length > MIN_PART && word[length - 1] == 's') /* a plural */
        glyph = glyph_of_exact(word, length - 1);
    for (size_t from = 1; !glyph && from + MIN_PART <= length; from++)
        glyph = glyph_of_exact(word + from, length - from);
    for (size_t end = length; !glyph && end-- > MIN_PART;)
        glyph = glyph_of_exact(word, end);
    return glyph;
}

const Glyph *glyph_of_chess_letter(char letter) {
    static const char *const names[] = {"king", "queen", "rook", "bishop", "knight", "pawn"};
    static const char letters[] = "kqrbnp";
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? glyph_named(names[at - letters]) : GLYPH_NONE;
}

bool colour_of_word(const char *word, size_t length, uint32_t *colour) {
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (spells(colours[i].word, word, length)) {
            *colour = colours[i].colour;
            return true;
        }
    return false;
}

const Glyph *glyph_of_die(const char *fact, const char *text) {
    static const char *const names[] = {"die 1", "die 2", "die 3", "die 4", "die 5", "die 6"};
    bool is_die = strstr(fact, "dice") || strncmp(fact, "die", 3) == 0 || strstr(fact, "roll");
    if (!is_die || text[0] < '1' || text[0] > '6' || text[1])
        return GLYPH_NONE;
    return glyph_named(names[text[0] - '1']);
}
